package dev.syncguard.firestore.server.google;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Google's conformance tests for Firestore clients, as the files say them. */
public final class GoogleConformance {
  private static final String FOLDER = "/com/google/cloud/conformance/firestore/v1";

  /** One test of one file. */
  public record Case(String file, JsonNode content) {}

  private GoogleConformance() {}

  /** Returns the requests of a test that a client is expected to send: a commit of its kind. */
  public static List<JsonNode> commits(JsonNode test) {
    return Stream.of("create", "set", "update", "updatePaths", "delete")
        .map(kind -> test.path(kind).path("request"))
        .filter(JsonNode::isObject)
        .toList();
  }

  public static List<Case> all() throws IOException, URISyntaxException {
    List<Case> cases = new ArrayList<>();
    URI jar =
        Objects.requireNonNull(GoogleConformance.class.getResource(FOLDER)).toURI();
    try (FileSystem files = FileSystems.newFileSystem(jar, Map.of());
        Stream<Path> all = Files.list(files.getPath(FOLDER))) {
      for (Path file :
          all.filter(path -> path.toString().endsWith(".json")).sorted().toList()) {
        for (JsonNode test :
            new ObjectMapper().readTree(Files.readAllBytes(file)).path("tests")) {
          cases.add(new Case(file.getFileName().toString(), test));
        }
      }
    }
    return cases;
  }
}
