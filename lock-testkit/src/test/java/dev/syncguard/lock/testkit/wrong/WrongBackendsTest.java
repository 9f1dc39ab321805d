package dev.syncguard.lock.testkit.wrong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.commons.support.ReflectionSupport.findNestedClasses;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import dev.syncguard.lock.testkit.BadInputContract;
import dev.syncguard.lock.testkit.Contract;
import dev.syncguard.lock.testkit.NetworkContract;
import dev.syncguard.lock.testkit.WakeUpContract;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A contract that cannot fail proves nothing: each of them is shown a backend that breaks it. */
@Tag("slow")
class WrongBackendsTest {

  private static final SeenRed SEEN_RED = new SeenRed();

  @AfterAll
  static void writeDownWhichTestsTurnedRed() throws IOException {
    SEEN_RED.writeIfWanted();
  }

  @BeforeAll
  static void doNotWaitLongForWhatNeverComes() {
    System.setProperty(WakeUpContract.DEADLINE, "1");
    System.setProperty(NetworkContract.DEADLINE, "3");
  }

  @AfterAll
  static void waitAsLongAsItTakesAgain() {
    System.clearProperty(WakeUpContract.DEADLINE);
    System.clearProperty(NetworkContract.DEADLINE);
  }

  static List<Wrong> ways() {
    return Wrong.ways().toList();
  }

  @ParameterizedTest
  @MethodSource("ways")
  void whatIsWrongIsNoticedByTheContractsThatAreAboutIt(Wrong wrong) {
    for (Class<?> contract : wrong.noticedBy()) {
      TestExecutionSummary summary = run(contract, wrong);
      assertThat(summary.getTestsStartedCount()).as("tests of %s", contract).isPositive();
      assertThat(summary.getFailures())
          .as("failures of %s on a backend where %s", contract.getSimpleName(), wrong)
          .isNotEmpty();
      summary.getFailures().forEach(failure -> SEEN_RED.note(failure.getTestIdentifier(), wrong));
    }
  }

  @Test
  void everyContractNoticesSomething() {
    Set<Class<?>> noticing =
        Wrong.ways().flatMap(wrong -> wrong.noticedBy().stream()).collect(Collectors.toSet());
    assertThat(nested())
        .extracting(Class::getSuperclass)
        // The types of keys, ids and ttls keep bad input from every backend, also from a wrong one.
        .filteredOn(contract -> contract != BadInputContract.class)
        .filteredOn(Contract.class::isAssignableFrom)
        .allSatisfy(contract -> assertThat(noticing).contains(contract));
  }

  @Test
  void everyWayToBeWrongHasANameOfItsOwn() {
    assertThat(ways()).extracting(Wrong::what).doesNotHaveDuplicates().hasSizeGreaterThan(12);
  }

  private static TestExecutionSummary run(Class<?> contract, Wrong wrong) {
    Class<?> nested = nested().stream()
        .filter(contract::isAssignableFrom)
        .findFirst()
        .orElseThrow(() -> new AssertionError("Nothing nested extends " + contract));
    LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
        .selectors(selectNestedClass(List.of(PlainContractsTest.class), nested))
        .configurationParameter(PlainContractsTest.WRONG, wrong.what())
        .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    return listener.getSummary();
  }

  private static List<Class<?>> nested() {
    return findNestedClasses(
        PlainContractsTest.class, type -> type.isAnnotationPresent(Nested.class));
  }
}
