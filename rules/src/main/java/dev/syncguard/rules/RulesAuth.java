package dev.syncguard.rules;

import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import java.util.Map;

/** A signed-in user: what {@code request.auth} shows. Thread-safe. */
public record RulesAuth(String uid, MapValue token) {
  /** Returns a user without further claims. */
  public static RulesAuth of(String uid) {
    return new RulesAuth(uid, RulesValue.map(Map.of("sub", RulesValue.of(uid))));
  }

  MapValue value() {
    return RulesValue.map(Map.of("uid", RulesValue.of(uid), "token", token));
  }

  @Override
  public String toString() {
    return "RulesAuth[claims withheld]";
  }
}
