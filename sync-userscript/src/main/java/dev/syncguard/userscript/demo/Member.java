package dev.syncguard.userscript.demo;

import org.jspecify.annotations.Nullable;

/**
 * Somebody with an account.
 *
 * @param overrides {@code abTestOverrides} as JSON, null for people who never had any
 */
public record Member(
    String id,
    String username,
    String displayName,
    @Nullable String overrides) {

  Member with(String newOverrides) {
    return new Member(id, username, displayName, newOverrides);
  }

  String slug() {
    return username;
  }

  @Override
  public String toString() {
    return "Member[" + username + "]";
  }
}
