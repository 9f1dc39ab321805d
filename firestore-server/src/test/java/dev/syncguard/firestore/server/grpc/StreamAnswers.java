package dev.syncguard.firestore.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what a stream answers. */
public final class StreamAnswers<T> implements StreamObserver<T> {
  private final BlockingQueue<T> answers = new LinkedBlockingQueue<>();

  @Override
  public void onNext(T answer) {
    answers.add(answer);
  }

  private final CompletableFuture<Status.Code> ended = new CompletableFuture<>();

  @Override
  public void onError(Throwable failure) {
    ended.complete(Status.fromThrowable(failure).getCode());
  }

  @Override
  public void onCompleted() {
    ended.complete(Status.Code.OK);
  }

  /** Returns OK if there is another answer or the stream ends well, else how it has failed. */
  Status.Code outcome() throws Exception {
    for (int i = 0; i < 9_000; i++) {
      if (answers.poll(10, TimeUnit.MILLISECONDS) != null) {
        return Status.Code.OK;
      }
      if (ended.isDone()) {
        return ended.get();
      }
    }
    throw new AssertionError("neither an answer nor an end");
  }

  /** Returns the next answer, and fails if none comes. */
  public T next() throws InterruptedException {
    T answer = answers.poll(90, TimeUnit.SECONDS);
    assertThat(answer).as("an answer").isNotNull();
    return Objects.requireNonNull(answer);
  }
}
