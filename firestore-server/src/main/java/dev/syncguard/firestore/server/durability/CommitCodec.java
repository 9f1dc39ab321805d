package dev.syncguard.firestore.server.durability;

import com.google.firestore.v1.Document;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.ExtensionRegistryLite;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.Change;
import dev.syncguard.firestore.server.store.Commit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commits as bytes: the time, then each document's name and, unless it was deleted, the document; at last one more byte if
 * triggers are not told of it.
 */
final class CommitCodec {
  private CommitCodec() {}

  static byte[] encode(Commit commit) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeSInt64NoTag(commit.micros());
      out.writeUInt32NoTag(commit.changes().size());
      for (Change change : commit.changes()) {
        Document after = change.after();
        out.writeStringNoTag(change.name().toString());
        out.writeBoolNoTag(after != null);
        if (after != null) {
          out.writeMessageNoTag(after);
        }
      }
      if (commit.quiet()) {
        out.writeBoolNoTag(true);
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("Memory does not fail like this", e);
    }
    return bytes.toByteArray();
  }

  static Commit decode(byte[] payload) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(payload);
    long micros = in.readSInt64();
    int count = in.readUInt32();
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      DocumentName name = DocumentName.parse(in.readString());
      @Nullable
      Document after = in.readBool()
          ? in.readMessage(Document.parser(), ExtensionRegistryLite.getEmptyRegistry())
          : null;
      changes.add(new Change(name, null, after));
    }
    return new Commit(micros, changes, !in.isAtEnd() && in.readBool());
  }
}
