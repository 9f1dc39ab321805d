package dev.syncguard.sync.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one tab sees of the values of its device. Where the device is slow to tell its tabs of each other's writes, that is
 * what it had when the tab was opened, what the tab wrote itself, and what has arrived since, in the order of writing.
 */
final class TabValues {

  private record News(String key, @Nullable String value, int version) {}

  private final Device device;
  private final Map<String, String> seen;
  private final Map<String, Integer> versions = new HashMap<>();
  private final Deque<News> underWay = new ArrayDeque<>();

  TabValues(Device device) {
    this.device = device;
    this.seen = new HashMap<>(device.values);
  }

  @Nullable
  String get(String key) {
    return device.latency == 0 ? device.values.get(key) : seen.get(key);
  }

  /** The tab has written a value itself. */
  void wrote(String key, @Nullable String value, int version) {
    put(key, value);
    versions.put(key, version);
  }

  /** Another tab has written a value; it will arrive. */
  void comes(String key, @Nullable String value, int version) {
    underWay.add(new News(key, value, version));
  }

  /** Lets the next value arrive, and returns its key, or null if the tab itself has written a later one. */
  @Nullable
  String arrives() {
    News news = underWay.remove();
    if (news.version < versions.getOrDefault(news.key, 0)) {
      return null;
    }
    wrote(news.key, news.value, news.version);
    return news.key;
  }

  private void put(String key, @Nullable String value) {
    if (value == null) {
      seen.remove(key);
    } else {
      seen.put(key, value);
    }
  }
}
