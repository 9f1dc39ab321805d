package dev.syncguard.benchmarks.firestore;

import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.WriteResult;
import com.google.protobuf.Timestamp;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import io.grpc.BindableService;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The same gRPC stack as ours with nothing behind it: every call is answered at once. */
final class EchoServer extends FirestoreGrpc.FirestoreImplBase implements AutoCloseable {

  private static final Timestamp TIME =
      Timestamp.newBuilder().setSeconds(1_700_000_000).build();

  private final Server server;

  /** @param blocking whether a call gets a thread that may wait, as ours do, or is answered by the one that read it */
  EchoServer(boolean blocking) {
    this.server = serve(this, blocking);
  }

  /** Serves on a free port of this machine. */
  static Server serve(BindableService service, boolean blocking) {
    Server server = Server.builder()
        .port(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SessionProtocol.HTTP)
        .meterRegistry(NoopMeterRegistry.get())
        .requestTimeoutMillis(0)
        .service(GrpcService.builder()
            .addService(service)
            .useBlockingTaskExecutor(blocking)
            .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
            .build())
        .build();
    server.start().join();
    return server;
  }

  static String host(Server server) {
    return "127.0.0.1:" + server.activeLocalPort();
  }

  String emulatorHost() {
    return host(server);
  }

  @Override
  public void commit(CommitRequest request, StreamObserver<CommitResponse> client) {
    client.onNext(CommitResponse.newBuilder()
        .setCommitTime(TIME)
        .addWriteResults(WriteResult.newBuilder().setUpdateTime(TIME))
        .build());
    client.onCompleted();
  }

  @Override
  public void batchGetDocuments(
      BatchGetDocumentsRequest request, StreamObserver<BatchGetDocumentsResponse> client) {
    client.onNext(BatchGetDocumentsResponse.newBuilder()
        .setReadTime(TIME)
        .setFound(Document.newBuilder()
            .setName(request.getDocuments(0))
            .putFields("n", Value.newBuilder().setIntegerValue(1).build())
            .setCreateTime(TIME)
            .setUpdateTime(TIME))
        .build());
    client.onCompleted();
  }

  @Override
  public void close() {
    server.stop().join();
  }
}
