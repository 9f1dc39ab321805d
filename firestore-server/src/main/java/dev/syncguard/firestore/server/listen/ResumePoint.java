package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.Target;
import dev.syncguard.firestore.server.value.Times;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Up to where a client says that it knows a target.
 *
 * @param micros the time that it knows, or nothing if it cannot be read
 * @param ofThisRun whether this run of the server has told the client so
 * @param wantsNames whether the client can use a filter of names
 */
record ResumePoint(OptionalLong micros, boolean ofThisRun, boolean wantsNames) {

  /** Returns the point that the client names, or nothing if it starts anew. */
  static Optional<ResumePoint> of(Target target, ResumeTokens tokens) {
    boolean wantsNames = target.getExpectedCount().getValue() > 0;
    return switch (target.getResumeTypeCase()) {
      case RESUME_TOKEN ->
        Optional.of(new ResumePoint(
            tokens.micros(target.getResumeToken()),
            tokens.areOurs(target.getResumeToken()),
            wantsNames));
      case READ_TIME -> {
        // Clients round up to nanoseconds; what changed within the microsecond is told again.
        Times.requireValid(target.getReadTime());
        yield Optional.of(new ResumePoint(
            OptionalLong.of(Times.micros(target.getReadTime())), false, wantsNames));
      }
      case RESUMETYPE_NOT_SET -> Optional.empty();
    };
  }

  /** Returns whether a client that knows this point can do with what has changed since, and the names of all there are. */
  boolean sufficesWithNames() {
    return wantsNames && ofThisRun && micros.isPresent();
  }
}
