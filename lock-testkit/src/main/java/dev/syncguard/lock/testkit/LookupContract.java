package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockInfo;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A live lock can be looked up by key and by id; what is shown is hashed, and looking changes nothing. */
public abstract class LookupContract extends Contract {

  @Test
  @Tag("check-31")
  void aLookupByKeyShowsHashesTimesAndTheFence() {
    Grant grant = take("payment:42");
    assertShows(grant, byKey(grant));
  }

  @Test
  @Tag("check-32")
  void aLookupByIdShowsTheSame() {
    Grant grant = take("payment:42");
    assertShows(grant, byId(grant));
  }

  private void assertShows(Grant grant, Optional<LockInfo> found) {
    LockInfo info = found.orElseThrow();
    assertThat(info.keyHash()).isEqualTo(grant.key().hash());
    assertThat(info.lockIdHash()).isEqualTo(grant.id().hash());
    assertThat(info.fence()).isEqualTo(grant.fence());
    assertThat(info.expiresAt()).isEqualTo(grant.expiresAt());
    assertThat(info.acquiredAt()).isEqualTo(grant.expiresAt().minus(LONG.duration()));
    assertThat(info.observedAt()).isBetween(info.acquiredAt(), info.expiresAt());
    assertThat(info.remaining()).isPositive().isLessThanOrEqualTo(LONG.duration());
    assertThat(info.toString())
        .doesNotContain(grant.key().value())
        .doesNotContain(grant.id().value());
  }

  @Test
  void aRawLookupShowsTheKeyAndTheIdButNotInItsText() {
    Grant grant = take("payment:42");
    for (LockQuery query : queries(grant)) {
      LockInfoDebug raw = backend.lookupRaw(query, NEVER).orElseThrow();
      assertThat(raw.key()).isEqualTo(grant.key());
      assertThat(raw.lockId()).isEqualTo(grant.id());
      assertThat(raw.sanitized().keyHash()).isEqualTo(grant.key().hash());
      assertThat(raw.toString())
          .doesNotContain(grant.key().value())
          .doesNotContain(grant.id().value());
    }
  }

  @Test
  @Tag("check-33")
  void anUnknownKeyIsNotFound() {
    take("another");
    assertThat(backend.lookup(new LockQuery.ByKey(key("unknown")), NEVER)).isEmpty();
  }

  @Test
  @Tag("check-34")
  void anUnknownIdIsNotFound() {
    take("another");
    assertThat(backend.lookup(new LockQuery.ById(newId()), NEVER)).isEmpty();
  }

  @Test
  @Tag("check-35")
  void anEndedLockIsNotFoundByKeyNorById() {
    Grant grant = take("report", SHORT);
    passBeyond(SHORT);
    assertThat(byKey(grant)).isEmpty();
    assertThat(byId(grant)).isEmpty();
  }

  @Test
  void aReleasedLockIsNotFoundByKeyNorById() {
    Grant grant = take("report");
    release(grant);
    assertThat(byKey(grant)).isEmpty();
    assertThat(byId(grant)).isEmpty();
  }

  @Test
  @Tag("check-38")
  void lookupsAtTheSameMomentAgree() throws Exception {
    Grant grant = take("report");
    List<Optional<LockInfo>> found = Together.run(8, i -> i % 2 == 0 ? byKey(grant) : byId(grant));
    assertThat(found).allSatisfy(info -> assertShows(grant, info));
  }

  @Test
  @Tag("check-39")
  void everyKeyIsFoundWithItsOwnFence() {
    release(take("key of a"));
    List<Grant> grants = List.of(take("key of a"), take("key of b"), take("key of c"));
    assertThat(grants).allSatisfy(grant -> {
      assertShows(grant, byKey(grant));
      assertShows(grant, byId(grant));
    });
  }

  @Test
  void lookingNeitherProlongsNorShortensALease() {
    Grant grant = take("report", LONG);
    List<LockInfoDebug> seen = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofMillis(2));
      isLocked("report");
      for (LockQuery query : queries(grant)) {
        seen.add(backend.lookupRaw(query, NEVER).orElseThrow());
      }
    }
    assertThat(seen).allSatisfy(info -> {
      assertThat(info.expiresAt()).isEqualTo(grant.expiresAt());
      assertThat(info.acquiredAt()).isEqualTo(grant.expiresAt().minus(LONG.duration()));
      assertThat(info.fence()).isEqualTo(grant.fence());
    });
  }

  @Test
  void lookingDoesNotKeepALockAlive() {
    Grant grant = take("report", SHORT);
    for (int i = 0; i < 12; i++) {
      pass(Duration.ofMillis(100));
      isLocked("report");
      byKey(grant);
      byId(grant);
    }
    assertThat(isLocked("report")).isFalse();
    assertThat(extend(grant, LONG)).isFalse();
  }

  private Optional<LockInfo> byKey(Grant grant) {
    return backend.lookup(new LockQuery.ByKey(grant.key()), NEVER);
  }

  private Optional<LockInfo> byId(Grant grant) {
    return backend.lookup(new LockQuery.ById(grant.id()), NEVER);
  }

  private static List<LockQuery> queries(Grant grant) {
    return List.of(new LockQuery.ByKey(grant.key()), new LockQuery.ById(grant.id()));
  }
}
