package dev.syncguard.lock.testkit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Where a contract gets the store for each of its tests: from itself or from the class that it is nested in. */
public interface FixtureSource {

  /** Returns a fixture over empty storage. */
  LockFixture newFixture() throws Exception;

  /** Hands the source to whatever contract asks for it. */
  final class Resolver implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == FixtureSource.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRequiredTestInstances()
          .findInstance(FixtureSource.class)
          .orElseThrow(() -> new IllegalStateException(
              context.getRequiredTestClass().getName() + " knows no store: nest it in a class that"
                  + " extends BackendContracts, or implement FixtureSource"));
    }
  }
}
