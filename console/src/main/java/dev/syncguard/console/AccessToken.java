package dev.syncguard.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Base64;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** A secret of 128 bits that opens a door. Immutable; {@link #toString()} keeps it. */
final class AccessToken {

  private static final String SCHEME = "Bearer ";
  private static final Pattern CHOSEN = Pattern.compile("[A-Za-z0-9_-]{22,}");

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

  /** Returns the token that somebody chose. Throws if it is too short to be one, without showing it. */
  static AccessToken of(String text) {
    if (!CHOSEN.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "A console's token has at least 22 letters, digits, - or _,"
              + " and nothing else; 'openssl rand -hex 16' makes one");
    }
    return new AccessToken(text);
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
