package dev.syncguard.firestore.server.android;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.OkHttpServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Hands calls of gRPC on as bytes, and keeps what a client sends. */
final class RecordingProxy implements AutoCloseable {
  /** One call: what was sent with it, and then on it. */
  record Call(String method, Map<String, String> headers, List<byte[]> messages) {}

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final ManagedChannel channel;
  private final Server server;

  RecordingProxy(int port) throws IOException {
    this.channel = OkHttpChannelBuilder.forAddress("127.0.0.1", port)
        .usePlaintext()
        .maxInboundMessageSize(16 << 20)
        .build();
    this.server = OkHttpServerBuilder.forPort(0, InsecureServerCredentials.create())
        .fallbackHandlerRegistry(new HandlerRegistry() {
          @Override
          public ServerMethodDefinition<?, ?> lookupMethod(
              String method, @Nullable String authority) {
            return definition(method);
          }
        })
        .build()
        .start();
  }

  int port() {
    return server.getPort();
  }

  List<Call> calls() {
    return calls;
  }

  private ServerMethodDefinition<byte[], byte[]> definition(String name) {
    MethodDescriptor<byte[], byte[]> method = MethodDescriptor.newBuilder(BYTES, BYTES)
        .setType(MethodDescriptor.MethodType.UNKNOWN)
        .setFullMethodName(name)
        .build();
    ServerCallHandler<byte[], byte[]> handler = (from, headers) -> {
      Call call = new Call(name, texts(headers), new CopyOnWriteArrayList<>());
      calls.add(call);
      ClientCall<byte[], byte[]> to = channel.newCall(method, CallOptions.DEFAULT);
      to.start(answersTo(from), headers);
      to.request(Integer.MAX_VALUE);
      from.request(Integer.MAX_VALUE);
      return new ServerCall.Listener<>() {
        @Override
        public void onMessage(byte[] message) {
          call.messages().add(message);
          to.sendMessage(message);
        }

        @Override
        public void onHalfClose() {
          to.halfClose();
        }

        @Override
        public void onCancel() {
          to.cancel("The client has gone", null);
        }
      };
    };
    return ServerMethodDefinition.create(method, handler);
  }

  private static ClientCall.Listener<byte[]> answersTo(ServerCall<byte[], byte[]> from) {
    return new ClientCall.Listener<>() {
      @Override
      public void onHeaders(Metadata headers) {
        from.sendHeaders(headers);
      }

      @Override
      public void onMessage(byte[] message) {
        from.sendMessage(message);
      }

      @Override
      public void onClose(Status status, Metadata trailers) {
        from.close(status, trailers);
      }
    };
  }

  private static Map<String, String> texts(Metadata headers) {
    Map<String, String> texts = new TreeMap<>();
    for (String name : headers.keys()) {
      if (!name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        texts.put(name, headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
      }
    }
    return texts;
  }

  @Override
  public void close() {
    server.shutdownNow();
    channel.shutdownNow();
  }
}
