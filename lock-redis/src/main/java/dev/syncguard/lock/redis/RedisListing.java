package dev.syncguard.lock.redis;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.spi.LockListing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** Lists live locks by walking over all keys of the server, in small steps that do not hold it up. */
final class RedisListing implements LockListing {

  private static final int STEP = 500;

  private final RedisServer server;
  private final RedisKeys keys;
  private final RedisLockBackend backend;

  RedisListing(RedisServer server, RedisKeys keys, RedisLockBackend backend) {
    this.server = server;
    this.keys = keys;
    this.backend = backend;
  }

  @Override
  public List<LockInfoDebug> liveRaw(int limit, Cancellation cancellation) {
    List<LockInfoDebug> live = new ArrayList<>();
    String indexes = keys.indexes();
    ScanParams params = new ScanParams().match(keys.indexPattern()).count(STEP);
    String cursor = ScanParams.SCAN_POINTER_START;
    do {
      cancellation.throwIfCancelled();
      String from = cursor;
      ScanResult<String> step = server.call(() -> server.client().scan(from, params));
      List<String> found = step.getResult();
      if (!found.isEmpty()) {
        List<String> ids =
            found.stream().map(name -> name.substring(indexes.length())).toList();
        live.addAll(backend.lookup(found, ids, cancellation));
      }
      cursor = step.getCursor();
    } while (!cursor.equals(ScanParams.SCAN_POINTER_START));
    return live.stream()
        .distinct()
        .sorted(Comparator.comparing(LockInfoDebug::expiresAt))
        .limit(limit)
        .toList();
  }
}
