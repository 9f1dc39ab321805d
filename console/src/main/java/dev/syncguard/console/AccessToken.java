package dev.syncguard.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Base64;
import java.util.random.RandomGenerator;

/** A secret of 128 bits that opens a door. Immutable; {@link #toString()} keeps it. */
final class AccessToken {

  private static final String SCHEME = "Bearer ";

  private final String text;

  private AccessToken(String text) {
    this.text = text;
  }

  /** @param random must not be guessable */
  static AccessToken create(RandomGenerator random) {
    byte[] bytes = new byte[16];
    random.nextBytes(bytes);
    return new AccessToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  String text() {
    return text;
  }

  /** Returns whether a request carries this token, in a time that does not tell how much of it was right. */
  boolean isIn(ConsoleRequest request) {
    String header = request.header("authorization").orElse("");
    return header.startsWith(SCHEME)
        && MessageDigest.isEqual(
            header.substring(SCHEME.length()).getBytes(UTF_8), text.getBytes(UTF_8));
  }

  @Override
  public String toString() {
    return "AccessToken[withheld]";
  }
}
