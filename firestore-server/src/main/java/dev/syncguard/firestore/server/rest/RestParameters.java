package dev.syncguard.firestore.server.rest;

import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.Precondition;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import com.linecorp.armeria.common.QueryParams;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The query parameters of a URL, in either spelling of their names. Those nobody knows are ignored. */
final class RestParameters {
  private final Map<String, List<String>> values = new HashMap<>();

  RestParameters(QueryParams parameters) {
    parameters.forEach((name, value) ->
        values.computeIfAbsent(camelCase(name), key -> new ArrayList<>()).add(value));
  }

  private static String camelCase(String name) {
    StringBuilder camel = new StringBuilder();
    boolean upper = false;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '_') {
        upper = true;
      } else {
        camel.append(upper ? Character.toUpperCase(c) : c);
        upper = false;
      }
    }
    return camel.toString();
  }

  Optional<String> text(String name) {
    List<String> all = values.getOrDefault(name, List.of());
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
  }

  int integer(String name) {
    try {
      return text(name).map(Integer::parseInt).orElse(0);
    } catch (NumberFormatException e) {
      throw invalid(name);
    }
  }

  boolean bool(String name) {
    return text(name).map(text -> bool(name, text)).orElse(false);
  }

  private static boolean bool(String name, String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name);
    };
  }

  Optional<Timestamp> time(String name) {
    return text(name).map(text -> {
      try {
        return Timestamps.parse(text);
      } catch (ParseException e) {
        throw invalid(name);
      }
    });
  }

  Optional<ByteString> bytes(String name) {
    return text(name).map(text -> {
      try {
        String urlSafe = text.replace('+', '-').replace('/', '_').replace("=", "");
        return ByteString.copyFrom(Base64.getUrlDecoder().decode(urlSafe));
      } catch (IllegalArgumentException e) {
        throw invalid(name);
      }
    });
  }

  /** Returns the mask, or nothing if no path of it is given: an empty mask cannot be written in a URL. */
  Optional<DocumentMask> mask(String name) {
    List<String> paths = values.getOrDefault(name + ".fieldPaths", List.of());
    return paths.isEmpty()
        ? Optional.empty()
        : Optional.of(DocumentMask.newBuilder().addAllFieldPaths(paths).build());
  }

  Precondition precondition() {
    Precondition.Builder precondition = Precondition.newBuilder();
    text("currentDocument.exists")
        .ifPresent(text -> precondition.setExists(bool("currentDocument.exists", text)));
    time("currentDocument.updateTime").ifPresent(precondition::setUpdateTime);
    return precondition.build();
  }

  private static FirestoreServerException invalid(String name) {
    return FirestoreServerException.invalid("Invalid value for the parameter " + name + ".");
  }
}
