package dev.syncguard.benchmarks.firestore;

import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** So many listeners, each a stream of its own with one document, that have heard all there was to hear. */
final class OpenListeners implements AutoCloseable {

  /** As many streams as servers commonly allow on one connection. */
  private static final int STREAMS = 100;

  private static final int PATIENCE_SECONDS = 60;

  private final int count;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private volatile Awaited awaited;

  /** What all listeners are still to hear: a value, or that there is nothing more. */
  private record Awaited(boolean isEnd, long value, CountDownLatch missing) {}

  OpenListeners(String host, int count, IntFunction<String> document) throws InterruptedException {
    this.count = count;
    this.awaited = new Awaited(true, 0, new CountDownLatch(count));
    for (int i = 0; i < count; i++) {
      if (i % STREAMS == 0) {
        channels.add(RawClient.channel(host));
      }
      FirestoreGrpc.newStub(channels.get(channels.size() - 1))
          .listen(new Listener())
          .onNext(ListenRequest.newBuilder()
              .setDatabase(Clients.DATABASE)
              .setAddTarget(Target.newBuilder()
                  .setTargetId(1)
                  .setDocuments(Target.DocumentsTarget.newBuilder()
                      .addDocuments(Clients.DATABASE + "/documents/" + document.apply(i))))
              .build());
    }
    await(awaited);
  }

  /** Does something that puts this number into the document, and returns how many ms it took until all had heard of it. */
  double millisUntilHeard(long number, Runnable write) throws InterruptedException {
    Awaited news = new Awaited(false, number, new CountDownLatch(count));
    awaited = news;
    long start = System.nanoTime();
    write.run();
    await(news);
    return (System.nanoTime() - start) / 1e6;
  }

  private static void await(Awaited news) throws InterruptedException {
    if (!news.missing.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "After a minute " + news.missing.getCount() + " listeners had heard nothing");
    }
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }

  /** One of them. What breaks off is noticed by whoever waits for it. */
  private final class Listener implements StreamObserver<ListenResponse> {

    @Override
    public void onNext(ListenResponse response) {
      Awaited now = awaited;
      boolean heard = now.isEnd
          ? response.getTargetChange().getTargetChangeType() == TargetChangeType.CURRENT
          : response.hasDocumentChange()
              && response
                      .getDocumentChange()
                      .getDocument()
                      .getFieldsOrThrow("n")
                      .getIntegerValue()
                  == now.value;
      if (heard) {
        now.missing.countDown();
      }
    }

    @Override
    public void onError(Throwable problem) {}

    @Override
    public void onCompleted() {}
  }
}
