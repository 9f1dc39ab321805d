package dev.syncguard.lock.redis;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.spi.Liveness;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What the server runs, one script per operation. The texts are constant: all data travels as keys and arguments. */
enum Script {
  ACQUIRE(
      "time",
      "spelling",
      "acquireFree",
      "prelude",
      "grant",
      "acquire",
      "record",
      "grantAgain",
      "line",
      "stand",
      "acquireTaken"),
  ATTEMPT(
      "time", "prelude", "record", "spelling", "grant", "grantAgain", "line", "stand", "attempt"),
  RELEASE(
      "releaseOwn",
      "time",
      "prelude",
      "record",
      "lease",
      "release",
      "line",
      "call",
      "releaseInLine"),
  EXTEND("time", "prelude", "record", "lease", "extend"),
  TAKE_OVER("time", "prelude", "record", "spelling", "grant", "grantAgain", "line", "takeOver"),
  LEAVE("time", "prelude", "record", "line", "call", "leave"),
  IS_LOCKED("time", "prelude", "record", "isLocked"),
  FORGET("time", "prelude", "record", "forget"),
  LOOKUP("time", "prelude", "record", "lease", "line", "lookup");

  private final String text;
  private final String sha;

  Script(String... parts) {
    StringBuilder all = new StringBuilder()
        .append("local LAST_FENCE, TOLERANCE_MS = " + Fence.MAX + ", " + Liveness.TIME_TOLERANCE_MS
            + "\n");
    for (String name : parts) {
      all.append(part(name));
    }
    text = all.toString();
    sha = sha1(text);
  }

  String text() {
    return text;
  }

  /** Returns the name under which a server remembers this script. */
  String sha() {
    return sha;
  }

  /** Returns a part, and in front of it the rule of all backends that it needs. */
  private static String part(String name) {
    return switch (name) {
      case "record" -> Liveness.IN_LUA + read(name);
      case "isLocked", "forget" -> Liveness.CLEANABLE_IN_LUA + read(name);
      default -> read(name);
    };
  }

  private static String read(String file) {
    try (InputStream in = Script.class.getResourceAsStream(file + ".lua")) {
      if (in == null) {
        throw new IllegalStateException("The script " + file + ".lua is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-1", e);
    }
  }
}
