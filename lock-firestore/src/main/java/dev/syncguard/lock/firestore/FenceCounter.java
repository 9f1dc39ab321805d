package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.DocumentSnapshot;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockKey;
import java.util.Map;
import java.util.Optional;

/** What the document of a fence counter says: the last fence that was handed out. */
final class FenceCounter {

  static final String FENCE = "fence";
  private static final String KEY_FOR_PEOPLE = "keyDebug";

  private FenceCounter() {}

  /**
   * Returns the fence of the next holder.
   *
   * <p>The lock repeats the fence of its holder. Should somebody have removed the counter, against all warnings, then at
   * least the fence of the latest holder is not handed out again.
   */
  static Fence next(DocumentSnapshot counter, Optional<LockRecord> latest) {
    long handedOut = counter.exists() ? read(counter) : 0;
    long held = latest.map(record -> record.fence().value()).orElse(0L);
    return new Fence(Math.max(handedOut, held) + 1);
  }

  private static long read(DocumentSnapshot counter) {
    // Up to 18 digits fit whatever they say; the limit of fences lies far below.
    if (counter.get(FENCE) instanceof String text
        && !text.isEmpty()
        && text.length() <= 19
        && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      String digits = text.length() == 19 && text.charAt(0) == '0' ? text.substring(1) : text;
      if (digits.length() <= 18) {
        return Long.parseLong(digits);
      }
    }
    throw LockRecord.damaged();
  }

  static Map<String, Object> fields(Fence fence, LockKey key) {
    return Map.of(FENCE, fence.text(), KEY_FOR_PEOPLE, key.value());
  }
}
