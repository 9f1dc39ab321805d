package dev.syncguard.firestore.server.http;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A client that takes one message of the answer and then no more until it is told to. */
final class SlowReader<Q extends MessageLite, A> extends ClientCall.Listener<A> {
  final CompletableFuture<A> first = new CompletableFuture<>();
  final CompletableFuture<Status> end = new CompletableFuture<>();
  final AtomicInteger count = new AtomicInteger();
  private final ClientCall<Q, A> call;

  SlowReader(Channel channel, MethodDescriptor<Q, A> method, Q request) {
    call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(this, new Metadata());
    call.sendMessage(request);
    if (method.getType() == MethodDescriptor.MethodType.SERVER_STREAMING) {
      call.halfClose();
    }
    call.request(1);
  }

  void readOn() {
    call.request(Integer.MAX_VALUE);
  }

  void cancel() {
    call.cancel("enough", null);
  }

  @Override
  public void onMessage(A message) {
    count.incrementAndGet();
    first.complete(message);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    end.complete(status);
    first.completeExceptionally(status.asRuntimeException());
  }
}
