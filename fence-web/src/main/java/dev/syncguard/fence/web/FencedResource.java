package dev.syncguard.fence.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** What a request is about to change, by the key of its lock; nothing for a request that needs no fence, such as a GET. */
@FunctionalInterface
public interface FencedResource {
  /** Returns the key of the lock under which a request must have been made, or empty if it needs no fence. */
  Optional<String> of(HttpServletRequest request);
}
