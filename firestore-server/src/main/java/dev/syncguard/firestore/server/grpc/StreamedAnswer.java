package dev.syncguard.firestore.server.grpc;

import com.google.protobuf.MessageLite;
import dev.syncguard.firestore.server.operation.Messages;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An answer of many messages that goes out as fast as the client takes it. No thread waits for a slow one, and little of
 * the answer is in memory at any time. Thread-safe.
 */
final class StreamedAnswer<T extends MessageLite> {
  /** How much is handed over before we ask again whether the client has taken it. */
  private static final int BATCH_BYTES = 64 << 10;

  private final ServerCallStreamObserver<T> client;
  /** What is still to be sent, or null before there is anything and after the end. */
  private volatile @Nullable Messages<? extends T> messages;

  /**
   * Must be made before the method returns that the client has called.
   *
   * @param executor makes what the client was not ready for at first, which may mean to wait for a disk
   */
  StreamedAnswer(ServerCallStreamObserver<T> client, Executor executor) {
    this.client = client;
    client.setOnReadyHandler(() -> whileSending(executor, this::resume));
    client.setOnCancelHandler(() -> whileSending(executor, this::end));
  }

  private void whileSending(Executor executor, Runnable task) {
    if (messages != null) {
      executor.execute(task);
    }
  }

  /** Starts to send, on the caller's thread. */
  void send(Messages<? extends T> answer) {
    messages = answer;
    resume();
  }

  private synchronized void resume() {
    Messages<? extends T> rest = messages;
    try {
      while (rest != null && !client.isCancelled() && client.isReady()) {
        sendBatch(rest);
        if (!rest.hasNext()) {
          messages = null;
          rest = null;
          client.onCompleted();
        }
      }
    } catch (Throwable e) { // nobody else would answer
      end();
      client.onError(GrpcErrors.translate(e));
    }
    if (client.isCancelled()) {
      end(); // perhaps before there was anything to end
    }
  }

  private void sendBatch(Messages<? extends T> rest) {
    int bytes = 0;
    while (bytes < BATCH_BYTES && rest.hasNext()) {
      T message = rest.next();
      bytes += message.getSerializedSize();
      client.onNext(message);
    }
  }

  private synchronized void end() {
    Messages<? extends T> rest = messages;
    messages = null;
    if (rest != null) {
      rest.close();
    }
  }
}
