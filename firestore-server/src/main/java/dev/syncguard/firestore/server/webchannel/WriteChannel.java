package dev.syncguard.firestore.server.webchannel;

import com.google.firestore.v1.WriteRequest;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.operation.Commits;
import dev.syncguard.firestore.server.operation.WriteStream;
import java.util.concurrent.Executor;

/** A stream of writes behind a session. A session asks for one thing at a time, so it is used by one thread at a time. */
final class WriteChannel implements ChannelStream {
  private final WriteStream stream;
  private final Session session;
  private final Executor executor;

  /** @param executor may wait for locks and disks */
  WriteChannel(Commits commits, AuthContext who, Session session, Executor executor) {
    this.stream = new WriteStream(commits, who);
    this.session = session;
    this.executor = executor;
  }

  @Override
  public void request(String json) {
    executor.execute(() -> {
      try {
        session.send(
            stream.answer(ClientMessages.parse(json, WriteRequest.newBuilder()).build()));
        session.requestNext();
      } catch (Throwable e) {
        session.fail(e); // and what came after it is never asked for
      }
    });
  }

  @Override
  public void ready() {}

  @Override
  public void close() {}
}
