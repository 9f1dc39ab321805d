package dev.syncguard.firestore.server.grpc;

import com.google.protobuf.MessageLite;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.Collections;
import java.util.Iterator;

/**
 * An answer of many messages that goes out as fast as the client takes it. No thread waits for a slow one, and little of
 * the answer is in memory as bytes at any time. Thread-safe.
 */
final class StreamedAnswer<T extends MessageLite> {
  /** How much is handed over before we ask again whether the client has taken it. */
  private static final int BATCH_BYTES = 64 << 10;

  private final ServerCallStreamObserver<T> client;
  private Iterator<? extends T> messages = Collections.emptyIterator();
  private boolean over = true;

  /** Must be made before the method returns that the client has called. */
  StreamedAnswer(ServerCallStreamObserver<T> client) {
    this.client = client;
    client.setOnReadyHandler(this::resume);
    client.setOnCancelHandler(() -> {});
  }

  /** Starts to send, from any thread. */
  synchronized void send(Iterator<? extends T> answers) {
    messages = answers;
    over = false;
    resume();
  }

  private synchronized void resume() {
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
