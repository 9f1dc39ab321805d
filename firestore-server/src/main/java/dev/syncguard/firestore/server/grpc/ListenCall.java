package dev.syncguard.firestore.server.grpc;

import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.http.Connections;
import dev.syncguard.firestore.server.http.RequestBudget;
import dev.syncguard.firestore.server.listen.ListenStream;
import dev.syncguard.firestore.server.listen.Listeners;
import dev.syncguard.firestore.server.operation.Operations;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Executor;

/** A Listen call: it ends when the client half-closes, cancels, or asks for something impossible. */
final class ListenCall implements StreamObserver<ListenRequest>, ListenStream.Client {
  private final ServerCallStreamObserver<ListenResponse> client;
  private final ListenStream stream;
  private final ServiceRequestContext ctx = ServiceRequestContext.current();

  ListenCall(
      Operations operations,
      Listeners listeners,
      AuthContext who,
      ServerCallStreamObserver<ListenResponse> client,
      Executor executor) {
    this.client = client;
    this.stream = new ListenStream(operations, listeners, who, this, executor);
    client.setOnCancelHandler(stream::close);
    client.setOnReadyHandler(stream::ready);
    client.disableAutoRequest(); // or requests would pile up faster than they are answered
    client.request(1);
  }

  @Override
  public void onNext(ListenRequest request) {
    Connections.begun(ctx);
    RequestBudget.settle(ctx);
    stream.request(request);
  }

  @Override
  public void onError(Throwable cause) {
    stream.close();
  }

  @Override
  public void onCompleted() {
    stream.afterwards(() -> {
      stream.close();
      client.onCompleted();
    });
  }

  @Override
  public void send(ListenResponse message) {
    client.onNext(message);
  }

  @Override
  public boolean isReady() {
    return client.isReady();
  }

  @Override
  public void requestNext() {
    client.request(1);
  }

  @Override
  public void fail(FirestoreServerException cause) {
    client.onError(GrpcErrors.translate(cause));
  }
}
