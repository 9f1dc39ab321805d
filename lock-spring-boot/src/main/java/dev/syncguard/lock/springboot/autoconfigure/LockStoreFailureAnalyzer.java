package dev.syncguard.lock.springboot.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a {@link LockStoreException} as Spring Boot shows what keeps an application from starting. */
final class LockStoreFailureAnalyzer extends AbstractFailureAnalyzer<LockStoreException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, LockStoreException cause) {
    return new FailureAnalysis(cause.description(), cause.action(), cause);
  }
}
