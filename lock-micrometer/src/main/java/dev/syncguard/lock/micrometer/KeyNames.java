package dev.syncguard.lock.micrometer;

import dev.syncguard.lock.LockKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Names for keys, as the application gives them, but never more than a monitoring system can bear. Thread-safe. */
final class KeyNames {

  static final int MOST = 100;
  static final String OTHER = "other";

  private final Function<? super LockKey, String> names;
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean told = new AtomicBoolean();

  KeyNames(Function<? super LockKey, String> names) {
    this.names = names;
  }

  String of(LockKey key) {
    String name = names.apply(key);
    if (known.contains(name)) {
      return name;
    }
    synchronized (known) {
      if (known.size() < MOST) {
        known.add(name);
        return name;
      }
    }
    if (told.compareAndSet(false, true)) {
      System.getLogger(KeyNames.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "Keys have more than {0} names, so further ones are counted as ''{1}'': name what keys stand for, not each key",
              MOST,
              OTHER);
    }
    return OTHER;
  }
}
