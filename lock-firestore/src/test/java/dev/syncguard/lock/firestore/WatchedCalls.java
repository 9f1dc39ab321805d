package dev.syncguard.lock.firestore;

import com.google.api.gax.core.FixedCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Notes every call that Google's client makes, and lets some of them fail before they reach the server. */
final class WatchedCalls implements ClientInterceptor {

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<String> ended = new CopyOnWriteArrayList<>();
  private final AtomicInteger answers = new AtomicInteger();
  private String failing = "";
  private Status failure = Status.OK;
  private int failuresLeft;
  private Runnable meanwhile = () -> {};
  private volatile Runnable beforeCommit = () -> {};

  Firestore connect(String emulatorHost, int mostAttempts) {
    FirestoreOptions.Builder options = LocalFirestore.options(emulatorHost);
    options.setRetrySettings(LocalFirestore.retries(mostAttempts));
    return options
        .setEmulatorHost(null)
        .setChannelProvider(InstantiatingGrpcChannelProvider.newBuilder()
            .setEndpoint(emulatorHost)
            .setChannelConfigurator(channel -> channel.usePlaintext().intercept(this))
            .build())
        .setCredentialsProvider(
            FixedCredentialsProvider.create(new FirestoreOptions.EmulatorCredentials()))
        .build()
        .getService();
  }

  @Override
  public <Q, A> ClientCall<Q, A> interceptCall(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    calls.add(method.getBareMethodName());
    Optional<Status> failure = nextFailure(method.getBareMethodName());
    if (failure.isPresent()) {
      return new RefusedCall<>(failure.get());
    }
    if (method.getBareMethodName().equals("Commit")) {
      beforeCommit.run();
    }
    return new NotedCall<>(method.getBareMethodName(), next.newCall(method, options));
  }

  /** Sets what happens right before each commit that is let through. */
  void beforeCommit(Runnable event) {
    beforeCommit = event;
  }

  /** Returns how many messages came back. */
  int answers() {
    return answers.get();
  }

  /** Returns how many calls of this name are over. */
  int ended(String name) {
    return Collections.frequency(ended, name);
  }

  private final class NotedCall<Q, A> extends SimpleForwardingClientCall<Q, A> {
    private final String name;

    NotedCall(String name, ClientCall<Q, A> call) {
      super(call);
      this.name = name;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      super.start(
          new SimpleForwardingClientCallListener<>(listener) {
            @Override
            public void onMessage(A message) {
              answers.incrementAndGet();
              super.onMessage(message);
            }

            @Override
            public void onClose(Status status, Metadata trailers) {
              ended.add(name);
              super.onClose(status, trailers);
            }
          },
          headers);
    }
  }

  /** Lets so many calls of this name end with this status. */
  synchronized void fail(String name, Status status, int times) {
    failing = name;
    failure = status;
    failuresLeft = times;
  }

  /** Sets what happens whenever a call fails. */
  synchronized void whenFailing(Runnable event) {
    meanwhile = event;
  }

  private synchronized Optional<Status> nextFailure(String name) {
    if (!name.equals(failing) || failuresLeft-- <= 0) {
      return Optional.empty();
    }
    meanwhile.run();
    return Optional.of(failure);
  }

  private static final class RefusedCall<Q, A> extends ClientCall<Q, A> {
    private final Status status;

    RefusedCall(Status status) {
      this.status = status;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
      listener.onClose(status, new Metadata());
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(String message, Throwable cause) {}

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(Q message) {}
  }

  boolean has(String name) {
    return calls.contains(name);
  }

  /** Returns the names of the calls since the last question. */
  List<String> calls() {
    List<String> seen = List.copyOf(calls);
    calls.clear();
    return seen;
  }
}
