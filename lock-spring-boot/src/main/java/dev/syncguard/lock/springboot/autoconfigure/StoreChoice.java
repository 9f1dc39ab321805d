package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Picks the one store of the application, and refuses to guess. */
final class StoreChoice {

  private final List<StoreFinder> finders;

  StoreChoice(List<StoreFinder> finders) {
    this.finders = finders;
  }

  /** Opens the chosen store, or the only one there is. */
  LockBackend open(Optional<Store> chosen) {
    if (chosen.isPresent() && chosen.get() == Store.MEMORY) {
      return new MemoryLockBackend();
    }
    List<StoreCandidate> candidates = new ArrayList<>();
    List<String> unusable = new ArrayList<>();
    for (StoreFinder finder : finders) {
      if (chosen.isEmpty() || finder.stores().contains(chosen.get())) {
        StoreFinder.Found found = finder.find(chosen);
        unusable.addAll(found.unusable());
        for (StoreCandidate candidate : found.candidates()) {
          if (chosen.isEmpty() || chosen.get() == candidate.store()) {
            candidates.add(candidate);
          } else {
            unusable.add(candidate.origin());
          }
        }
      }
    }
    if (candidates.size() == 1) {
      return candidates.get(0).opening().get();
    }
    throw candidates.isEmpty()
        ? chosen.map(store -> absent(store, unusable)).orElseGet(() -> nothing(unusable))
        : several(candidates);
  }

  private static LockStoreException several(List<StoreCandidate> candidates) {
    return new LockStoreException(
        "SyncGuard found more than one store for its locks: "
            + candidates.stream().map(StoreCandidate::origin).collect(Collectors.joining(", "))
            + ". Locks in two stores would exclude nobody.",
        "Say which one keeps them, the same in every application that shares locks: "
            + candidates.stream()
                .map(candidate -> "syncguard.store=" + name(candidate.store()))
                .collect(Collectors.joining(" or "))
            + ".");
  }

  private LockStoreException absent(Store chosen, List<String> unusable) {
    boolean hasBackend = finders.stream().anyMatch(finder -> finder.stores().contains(chosen));
    String need = switch (chosen) {
      case POSTGRES ->
        "a DataSource bean for it: set spring.datasource.url, or name one of several with"
            + " syncguard.data-source";
      case SQLITE -> "a file: set syncguard.sqlite.file";
      case REDIS ->
        "a server: add spring-boot-starter-data-redis and set spring.data.redis.*, or set"
            + " syncguard.redis.url";
      case FIRESTORE -> "a bean of type com.google.cloud.firestore.Firestore";
      case MEMORY -> "nothing";
    };
    return new LockStoreException(
        "syncguard.store is " + name(chosen) + ", but "
            + (hasBackend
                ? "the application has no such store." + found(unusable)
                : "dev.syncguard:" + chosen.artifact() + " is not on the class path."),
        hasBackend
            ? "It needs " + need + "."
            : "Add the dependency dev.syncguard:" + chosen.artifact() + ".");
  }

  private LockStoreException nothing(List<String> unusable) {
    return new LockStoreException(
        "SyncGuard found no store for its locks." + found(unusable),
        "Add one of these, with its connection:\n"
            + "  - dev.syncguard:syncguard-lock-jdbc and a DataSource for PostgreSQL or SQLite"
            + " (spring.datasource.url), or syncguard.sqlite.file for a file on this machine\n"
            + "  - dev.syncguard:syncguard-lock-redis and spring.data.redis.*, or syncguard.redis.url\n"
            + "  - dev.syncguard:syncguard-lock-firestore and a Firestore bean\n"
            + "Tests may say syncguard.store=memory; syncguard.enabled=false leaves locks out.");
  }

  private static String found(List<String> unusable) {
    return unusable.isEmpty() ? "" : " Found, but of no use: " + String.join(", ", unusable) + ".";
  }

  static String name(Store store) {
    return store.name().toLowerCase(Locale.ROOT);
  }
}
