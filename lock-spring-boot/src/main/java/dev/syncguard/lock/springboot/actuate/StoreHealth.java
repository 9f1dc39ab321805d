package dev.syncguard.lock.springboot.actuate;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How the store is, by its own examination, which includes its clock or ours, whichever decides. */
record StoreHealth(boolean up, Map<String, String> details) {

  static StoreHealth of(LockBackend backend) {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("backend", backend.capabilities().backend());
    details.put("timeAuthority", backend.capabilities().timeAuthority().name());
    boolean up = true;
    try {
      Optional<StoreCheck> check = backend.storeCheck();
      List<StoreCheck.Finding> findings =
          check.isPresent() ? check.get().examine(Cancellation.none()) : List.of();
      for (StoreCheck.Finding finding : findings) {
        details.put(
            finding.subject(),
            finding.severity() == Severity.GOOD
                ? finding.message()
                : finding.severity() + ": " + finding.message());
        up &= finding.severity() != Severity.FAILURE;
      }
    } catch (LockException e) {
      details.put("error", e.toString());
      up = false;
    }
    return new StoreHealth(up, details);
  }
}
