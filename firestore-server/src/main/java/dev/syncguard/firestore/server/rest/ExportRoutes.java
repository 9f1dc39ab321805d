package dev.syncguard.firestore.server.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.rpc.Code;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.BearerTokens;
import dev.syncguard.firestore.server.export.Exports;
import dev.syncguard.firestore.server.name.DatabaseName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Exports and imports, as the tools of Firebase ask for them: the body names the database and a place on the server's disk.
 * Only clients on the server's machine may, whatever else the others are trusted with. Thread-safe.
 */
public final class ExportRoutes {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern PATH =
      Pattern.compile("/emulator/v1/projects/[^/:]+(?:/databases/[^/:]+)?:(?:export|import)");

  private final Exports exports;

  /** Creates routes that start these exports and imports. */
  public ExportRoutes(Exports exports) {
    this.exports = exports;
  }

  boolean isMeant(String path) {
    return PATH.matcher(path).matches();
  }

  HttpResponse answer(ServiceRequestContext ctx, AggregatedHttpRequest request) {
    if (!ctx.remoteAddress().getAddress().isLoopbackAddress()) {
      throw new FirestoreServerException(
          Code.PERMISSION_DENIED, "Only clients on the machine of the server can use its disk.");
    }
    BearerTokens.parse(request.headers().get(HttpHeaderNames.AUTHORIZATION));
    if (ctx.path().endsWith(":export")) {
      Map<String, String> fields = fields(request, Set.of("database", "directory", "name"));
      exports.write(database(fields), directory(fields), fields.getOrDefault("name", ""));
    } else {
      Map<String, String> fields = fields(request, Set.of("database", "directory"));
      exports.read(database(fields), directory(fields));
    }
    return HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, "{\n}\n");
  }

  /** Returns the fields of the request: {@code export_directory} and {@code exportDirectory} are both the directory. */
  private static Map<String, String> fields(AggregatedHttpRequest request, Set<String> known) {
    Map<String, String> fields = new HashMap<>();
    String body = request.contentUtf8();
    if (!body.isBlank()) {
      JsonNode parsed = parse(body);
      parsed.properties().forEach(field -> {
        String name =
            field.getKey().replaceFirst("^export_?(?=[dDnN])", "").toLowerCase(Locale.ROOT);
        if (!known.contains(name) || !field.getValue().isTextual()) {
          throw invalid();
        }
        fields.put(name, field.getValue().asText());
      });
    }
    return fields;
  }

  private static JsonNode parse(String body) {
    JsonGuard.check(body);
    try {
      JsonNode parsed = JSON.readTree(body);
      if (parsed != null && parsed.isObject()) {
        return parsed;
      }
    } catch (JsonProcessingException e) {
      // told below
    }
    throw invalid();
  }

  private static FirestoreServerException invalid() {
    return FirestoreServerException.invalid("Payload isn't valid for request.");
  }

  private static DatabaseName database(Map<String, String> fields) {
    String name = fields.getOrDefault("database", "");
    if (!name.startsWith("projects/")) {
      throw FirestoreServerException.invalid(
          "Database name \"" + name + "\" lacks \"projects\" at index 0.");
    }
    return DatabaseName.parse(name);
  }

  /** Returns a place on disk. One without a root starts where the server does. */
  private static Path directory(Map<String, String> fields) {
    String directory = fields.getOrDefault("directory", "");
    try {
      if (!directory.isEmpty()) {
        return Path.of(directory).toAbsolutePath();
      }
    } catch (InvalidPathException e) {
      // told below
    }
    throw FirestoreServerException.failedPrecondition("export_directory must be a directory");
  }
}
