package dev.syncguard.lock.springboot.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks for stores of some kinds in the application. */
interface StoreFinder {

  /** Returns the kinds that it knows. */
  Set<Store> stores();

  /** Returns what it found; if one kind was chosen, that alone. */
  Found find(Optional<Store> chosen);

  /**
   * What was found.
   *
   * @param candidates what can keep locks
   * @param unusable what was found but cannot, in words
   */
  record Found(List<StoreCandidate> candidates, List<String> unusable) {
    static Found nothing() {
      return new Found(List.of(), List.of());
    }

    static Found of(StoreCandidate candidate) {
      return new Found(List.of(candidate), List.of());
    }
  }
}
