import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/** Runs one test class in a JVM of its own for {@code .ci/repeat-under-load}, and prints the tests that failed. */
final class RunTests {

  public static void main(String[] arguments) throws ClassNotFoundException {
    // With its nested classes, as Maven does.
    Class<?> type = Class.forName(arguments[0], false, RunTests.class.getClassLoader());
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(type))
                .build(),
            listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printTo(new PrintWriter(System.out, true));
    for (Failure failure : summary.getFailures()) {
      System.out.println("failed: " + failure.getTestIdentifier().getDisplayName());
      failure.getException().printStackTrace(System.out);
    }
    boolean ranAll = summary.getTestsStartedCount() > 0 && summary.getTestsSkippedCount() == 0;
    // Not by returning: a test may have left threads.
    System.exit(summary.getTotalFailureCount() > 0 ? 1 : ranAll ? 0 : 2);
  }
}
