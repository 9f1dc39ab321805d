package dev.syncguard.firestore.server.operation;

import dev.syncguard.firestore.server.FirestoreServerException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * One page of a list that is sorted by distinct keys. The token of the next page is the last key of this one: a position,
 * from which the list goes on even if the item that was there has gone.
 */
record Page<T>(List<T> items, String nextToken) {
  /**
   * @param size how many items at most; zero for all of them
   * @param order by which the keys of the list are sorted
   */
  static <T> Page<T> of(
      List<T> all, int size, String token, Function<T, String> key, Comparator<String> order) {
    int start = 0;
    if (!token.isEmpty()) {
      String last = decode(token);
      while (start < all.size() && order.compare(key.apply(all.get(start)), last) <= 0) {
        start++;
      }
    }
    int end = size == 0 ? all.size() : (int) Math.min((long) start + size, all.size());
    List<T> items = all.subList(start, end);
    boolean more = end < all.size() && !items.isEmpty();
    return new Page<>(items, more ? encode(key.apply(items.get(items.size() - 1))) : "");
  }

  static String encode(String key) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(key.getBytes(StandardCharsets.UTF_8));
  }

  static String decode(String token) {
    try {
      return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw FirestoreServerException.invalid("Invalid page token.");
    }
  }
}
