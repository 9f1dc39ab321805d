package dev.syncguard.firestore.server.webchannel;

import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.listen.ListenStream;
import dev.syncguard.firestore.server.listen.Listeners;
import dev.syncguard.firestore.server.operation.Operations;
import java.util.concurrent.Executor;

/** A listener behind a session. Thread-safe. */
final class ListenChannel implements ChannelStream, ListenStream.Client {
  private final Session session;
  private final Executor executor;
  private final ListenStream stream;

  ListenChannel(
      Operations operations,
      Listeners listeners,
      AuthContext who,
      Session session,
      Executor executor) {
    this.session = session;
    this.executor = executor;
    this.stream = new ListenStream(operations, listeners, who, this, executor);
  }

  @Override
  public void request(String json) {
    executor.execute(() -> {
      try {
        stream.request(ClientMessages.parse(json, ListenRequest.newBuilder()).build());
      } catch (Throwable e) {
        stream.close();
        session.fail(e);
      }
    });
  }

  @Override
  public void ready() {
    stream.ready();
  }

  @Override
  public void close() {
    stream.close();
  }

  @Override
  public void send(ListenResponse message) {
    session.send(message);
  }

  @Override
  public boolean isReady() {
    return session.isReady();
  }

  @Override
  public void requestNext() {
    session.requestNext();
  }

  @Override
  public void fail(FirestoreServerException cause) {
    session.fail(cause);
  }
}
