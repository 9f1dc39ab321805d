package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentChange;
import com.google.firestore.v1.DocumentDelete;
import com.google.firestore.v1.DocumentRemove;
import com.google.firestore.v1.ExistenceFilter;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.TargetChange;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import com.google.protobuf.ByteString;
import com.google.rpc.Status;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.value.Times;
import java.util.Collection;

/** The messages that a listener gets. */
final class ListenMessages {
  private ListenMessages() {}

  static ListenResponse target(TargetChangeType type, int targetId) {
    return target(TargetChange.newBuilder().setTargetChangeType(type).addTargetIds(targetId));
  }

  static ListenResponse current(int targetId, long micros, ByteString token) {
    return target(TargetChange.newBuilder()
        .setTargetChangeType(TargetChangeType.CURRENT)
        .addTargetIds(targetId)
        .setResumeToken(token)
        .setReadTime(Times.timestamp(micros)));
  }

  static ListenResponse refused(int targetId, FirestoreServerException cause) {
    return target(TargetChange.newBuilder()
        .setTargetChangeType(TargetChangeType.REMOVE)
        .addTargetIds(targetId)
        .setCause(Status.newBuilder()
            .setCode(cause.code().getNumber())
            .setMessage(String.valueOf(cause.getMessage()))));
  }

  /** Says that all targets together show one snapshot. */
  static ListenResponse snapshot(long micros, ByteString token) {
    return target(TargetChange.newBuilder()
        .setTargetChangeType(TargetChangeType.NO_CHANGE)
        .setResumeToken(token)
        .setReadTime(Times.timestamp(micros)));
  }

  static ListenResponse changed(Document document, int targetId) {
    return ListenResponse.newBuilder()
        .setDocumentChange(DocumentChange.newBuilder().setDocument(document).addTargetIds(targetId))
        .build();
  }

  static ListenResponse deleted(String name, int targetId, long micros) {
    return ListenResponse.newBuilder()
        .setDocumentDelete(DocumentDelete.newBuilder()
            .setDocument(name)
            .addRemovedTargetIds(targetId)
            .setReadTime(Times.timestamp(micros)))
        .build();
  }

  static ListenResponse removed(String name, int targetId, long micros) {
    return ListenResponse.newBuilder()
        .setDocumentRemove(DocumentRemove.newBuilder()
            .setDocument(name)
            .addRemovedTargetIds(targetId)
            .setReadTime(Times.timestamp(micros)))
        .build();
  }

  static ListenResponse count(int targetId, int count) {
    return filter(ExistenceFilter.newBuilder().setTargetId(targetId).setCount(count));
  }

  /** Says how many documents there are, and lets a client find out which of its own are not among them. */
  static ListenResponse names(int targetId, Collection<String> names) {
    return filter(ExistenceFilter.newBuilder()
        .setTargetId(targetId)
        .setCount(names.size())
        .setUnchangedNames(NameFilter.of(names)));
  }

  private static ListenResponse filter(ExistenceFilter.Builder filter) {
    return ListenResponse.newBuilder().setFilter(filter).build();
  }

  private static ListenResponse target(TargetChange.Builder change) {
    return ListenResponse.newBuilder().setTargetChange(change).build();
  }
}
