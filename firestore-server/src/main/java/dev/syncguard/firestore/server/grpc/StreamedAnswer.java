package dev.syncguard.firestore.server.grpc;

import com.google.protobuf.MessageLite;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Iterator;

/**
 * An answer of many messages that goes out as fast as the client takes it. No thread waits for a slow one, and little of
 * the answer is in memory as bytes at any time. Not thread-safe.
 */
final class StreamedAnswer<T extends MessageLite> {
  /** How much is handed over before we ask again whether the client has taken it. */
  private static final int BATCH_BYTES = 64 << 10;

  private final ServerCallStreamObserver<T> client;
  private final Iterator<? extends T> messages;
  private boolean over;

  private StreamedAnswer(ServerCallStreamObserver<T> client, Iterator<? extends T> messages) {
    this.client = client;
    this.messages = messages;
  }

  /** Starts to send; must be called before the method returns that the client has called. */
  static <T extends MessageLite> void send(
      ServerCallStreamObserver<T> client, Iterator<? extends T> messages) {
    StreamedAnswer<T> answer = new StreamedAnswer<>(client, messages);
    client.setOnReadyHandler(answer::resume);
    client.setOnCancelHandler(() -> {});
    answer.resume();
  }

  private void resume() {
    while (!over && client.isReady()) {
      sendBatch();
      if (!messages.hasNext()) {
        over = true;
        client.onCompleted();
      }
    }
  }

  private void sendBatch() {
    int bytes = 0;
    while (messages.hasNext() && bytes < BATCH_BYTES) {
      T message = messages.next();
      bytes += message.getSerializedSize();
      client.onNext(message);
    }
  }
}
