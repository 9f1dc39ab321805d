package dev.syncguard.firestore.server.grpc;

import com.google.firestore.v1.WriteRequest;
import com.google.firestore.v1.WriteResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.http.Connections;
import dev.syncguard.firestore.server.http.RequestBudget;
import dev.syncguard.firestore.server.operation.WriteStream;
import io.grpc.stub.StreamObserver;

/** A Write call: each request is answered in turn, until one fails or the client half-closes. */
final class WriteCall implements StreamObserver<WriteRequest> {
  private final WriteStream stream;
  private final StreamObserver<WriteResponse> client;
  private final ServiceRequestContext ctx = ServiceRequestContext.current();
  private boolean over;

  WriteCall(WriteStream stream, StreamObserver<WriteResponse> client) {
    this.stream = stream;
    this.client = client;
  }

  @Override
  public void onNext(WriteRequest request) {
    if (over) {
      return;
    }
    try {
      Connections.begun(ctx);
      RequestBudget.settle(ctx);
      client.onNext(stream.answer(request));
    } catch (Throwable e) {
      over = true;
      client.onError(GrpcErrors.translate(e));
    }
  }

  @Override
  public void onError(Throwable cause) {
    over = true;
  }

  @Override
  public void onCompleted() {
    if (!over) {
      over = true;
      client.onCompleted();
    }
  }
}
