package dev.syncguard.firestore.server.webchannel;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.BearerTokens;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Who opens a session. A web page cannot send a header of its own without asking first, so clients write theirs into the
 * body, or long ago into the address. Of those only the token counts.
 */
final class Credentials {
  private static final String AUTHORIZATION = "authorization:";

  private Credentials() {}

  /**
   * Returns who it is, or refuses if there are two opinions about it.
   *
   * @param headers values of the header Authorization
   * @param blocks lines of names and values, each as the client wrote it
   */
  static AuthContext of(Collection<String> headers, Collection<String> blocks) {
    Set<String> tokens = new LinkedHashSet<>(headers);
    for (String block : blocks) {
      block
          .lines()
          .filter(line -> line.regionMatches(true, 0, AUTHORIZATION, 0, AUTHORIZATION.length()))
          .forEach(line -> tokens.add(line.substring(AUTHORIZATION.length()).strip()));
    }
    if (tokens.size() > 1) {
      throw FirestoreServerException.invalid("A request has one Authorization.");
    }
    return BearerTokens.parse(tokens.stream().findFirst().orElse(null));
  }
}
