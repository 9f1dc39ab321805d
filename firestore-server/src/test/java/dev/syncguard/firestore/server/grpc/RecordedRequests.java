package dev.syncguard.firestore.server.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import io.grpc.Metadata;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the SDK for Android has sent; the tests of firestore-server-android-tests record it and compare it. */
final class RecordedRequests {
  /** One call of gRPC; what the server had given to the phone before is left out of its messages. */
  record Call(String method, Map<String, String> headers, List<ByteString> messages) {
    /** Returns the headers that are Firebase's; gRPC sets its own. */
    Metadata metadata() {
      Metadata metadata = new Metadata();
      headers.forEach((name, value) -> {
        if (name.startsWith("x-") || name.startsWith("google-")) {
          metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
        }
      });
      return metadata;
    }
  }

  private RecordedRequests() {}

  static List<Call> read() {
    List<Call> calls = new ArrayList<>();
    for (String line : text().lines().toList()) {
      if (!line.startsWith(" ")) {
        calls.add(new Call(line, new LinkedHashMap<>(), new ArrayList<>()));
        continue;
      }
      Call call = calls.get(calls.size() - 1);
      if (line.startsWith("  >")) {
        call.messages()
            .add(
                ByteString.copyFrom(Base64.getDecoder().decode(line.substring(3).strip())));
      } else {
        String[] header = line.strip().split(": ", 2);
        call.headers().put(header[0], header[1]);
      }
    }
    return calls;
  }

  private static String text() {
    try (InputStream file = Objects.requireNonNull(
        RecordedRequests.class.getResourceAsStream("/android-requests.txt"))) {
      return new String(file.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
