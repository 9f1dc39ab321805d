package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.spi.LockBackend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The tests of one backend: says how to open it and nests one class for each contract that applies.
 *
 * <p>Nothing can be forgotten: a contract that every backend must keep, or that belongs to something which this backend
 * or its fixture offers, is missed by name.
 */
public abstract class BackendContracts implements FixtureSource {

  /** What every backend must keep. */
  static final List<Class<?>> FOR_ALL = List.of(
      LifecycleContract.class,
      ContentionContract.class,
      ExpirationContract.class,
      OwnershipContract.class,
      FenceContract.class,
      FenceLimitContract.class,
      LookupContract.class,
      BadInputContract.class,
      AwkwardKeysContract.class,
      CancellationContract.class,
      IdempotenceContract.class,
      FaultContract.class,
      LoadContract.class,
      StallContract.class,
      AgreementContract.class,
      CanaryContract.class,
      TelemetryContract.class,
      LocksContract.class,
      LocksFaultContract.class,
      SourceContract.class);

  @Test
  void noContractThatAppliesIsMissing() throws Exception {
    List<Class<?>> nested = new ArrayList<>();
    for (Class<?> type = getClass(); type != BackendContracts.class; type = type.getSuperclass()) {
      Arrays.stream(type.getDeclaredClasses())
          .filter(inner -> inner.isAnnotationPresent(Nested.class))
          .forEach(nested::add);
    }
    assertThat(applicable())
        .allSatisfy(contract -> assertThat(nested)
            .as(
                "Nest a class that extends %s in %s",
                contract.getSimpleName(), getClass().getName())
            .anyMatch(contract::isAssignableFrom));
  }

  @Test
  void theClassIsNamedAfterTheBackendSoThatItsContractsCanBeCounted() throws Exception {
    try (LockFixture fixture = newFixture();
        LockBackend backend = fixture.open()) {
      String name = backend.capabilities().backend().replace("-", "");
      assertThat(getClass().getSimpleName().toLowerCase(Locale.ROOT))
          .matches(name + ".*contracts(test|it)");
    }
  }

  private List<Class<?>> applicable() throws Exception {
    List<Class<?>> applicable = new ArrayList<>(FOR_ALL);
    try (LockFixture fixture = newFixture();
        LockBackend backend = fixture.open()) {
      if (fixture instanceof LockFixture.SettableClock) {
        applicable.add(LivenessBoundaryContract.class);
      }
      if (fixture instanceof LockFixture.Cleaning) {
        applicable.add(CleanupContract.class);
      }
      if (fixture instanceof LockFixture.Inspectable) {
        applicable.add(ReadOnlyContract.class);
      }
      if (fixture instanceof LockFixture.Restartable) {
        applicable.add(DurabilityContract.class);
      }
      if (fixture instanceof LockFixture.Breakable) {
        applicable.add(UnreachableStoreContract.class);
      }
      if (backend.waitingLine().isPresent()) {
        applicable.add(WaitingLineContract.class);
        applicable.add(HandOverContract.class);
      }
      if (backend.listing().isPresent()) {
        applicable.add(ListingContract.class);
      }
      if (backend.storeCheck().isPresent()) {
        applicable.add(StoreCheckContract.class);
      }
    }
    return applicable;
  }
}
