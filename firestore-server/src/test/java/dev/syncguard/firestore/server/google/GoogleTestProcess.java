package dev.syncguard.firestore.server.google;

import com.google.cloud.firestore.FirestoreOptions;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.StubMethod;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;
import org.junit.Assume;
import org.junit.Ignore;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.model.FrameworkMethod;
import org.junit.runners.model.InitializationError;

/**
 * The process that Google's tests run in: they find their server through an environment variable, which only a process
 * of its own can be given. Tests come as {@code Class#method} arguments; each outcome is a line on standard output.
 */
public final class GoogleTestProcess {
  static final String MODE = "syncguard.mode";
  static final String PACKAGE = "com.google.cloud.firestore.it.";
  private static final long HUNG_SECONDS = 60;

  private GoogleTestProcess() {}

  public static void main(String[] tests) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);
    switch (GoogleTests.TestMode.valueOf(System.getProperty(MODE))) {
      case EMULATOR, DELAYED -> {}
      case PRODUCTION ->
        redefine(FirestoreOptions.class, "getEmulatorHost", FixedValue.nullValue());
      case ANYTHING -> redefine(Assume.class, "assumeTrue", StubMethod.INSTANCE);
      case TRACED -> TracedChannels.install();
      case ENTERPRISE -> {
        WideChannels.install();
        System.setProperty("FIRESTORE_EDITION", "ENTERPRISE");
        System.setProperty("FIRESTORE_RUN_LARGE_DOC_TESTS", "true");
        // In capitals it would be dialled; like this it is only asked for.
        System.setProperty("FIRESTORE_TARGET_BACKEND", "nightly");
      }
    }
    for (String test : tests) {
      int hash = test.indexOf('#');
      run(test.substring(0, hash), test.substring(hash + 1), out);
    }
    out.flush();
    Runtime.getRuntime().halt(0); // a client that a test forgot must not keep us
  }

  /** Lets one method of a class that is not ours do something else, in this process only. */
  private static void redefine(Class<?> type, String method, Implementation implementation) {
    ByteBuddyAgent.install();
    new ByteBuddy()
        .redefine(type)
        .method(ElementMatchers.named(method))
        .intercept(implementation)
        .make()
        .load(type.getClassLoader(), ClassReloadingStrategy.fromInstalledAgent());
  }

  private static void run(String className, String method, PrintStream out) throws Exception {
    Class<?> testClass = Class.forName(PACKAGE + className);
    CountDownLatch done = new CountDownLatch(1);
    Set<Outcome> outcomes = new HashSet<>();
    JUnitCore core = new JUnitCore();
    core.addListener(new Listener(outcomes));
    boolean ignored = testClass.getMethod(method).isAnnotationPresent(Ignore.class);
    Request request = (ignored
            ? Request.runner(new Unignoring(testClass))
            : Request.aClass(testClass))
        .filterWith(new OneMethod(method));
    Thread runner = new Thread(() -> {
      core.run(request);
      done.countDown();
    });
    runner.setDaemon(true);
    runner.start();
    boolean finished = done.await(HUNG_SECONDS, TimeUnit.SECONDS);
    Outcome outcome = finished
        ? outcomes.stream().findFirst().orElse(new Outcome("PASSED", ""))
        : new Outcome("FAILED", "hung for " + HUNG_SECONDS + " s");
    out.println(
        String.join("\t", "OUTCOME", className, method, outcome.status(), outcome.message()));
    out.flush();
    if (!finished) {
      Runtime.getRuntime().halt(2);
    }
  }

  private record Outcome(String status, String message) {
    static Outcome of(String status, Failure failure) {
      return new Outcome(status, String.valueOf(failure.getException()).replaceAll("\\s+", " "));
    }
  }

  /** Runs what its authors ignore, too. */
  private static final class Unignoring extends BlockJUnit4ClassRunner {
    Unignoring(Class<?> testClass) throws InitializationError {
      super(testClass);
    }

    @Override
    protected boolean isIgnored(FrameworkMethod test) {
      return false;
    }
  }

  private static final class OneMethod extends Filter {
    private final String method;

    OneMethod(String method) {
      this.method = method;
    }

    @Override
    public boolean shouldRun(Description description) {
      @Nullable String name = description.getMethodName();
      return name == null || name.equals(method);
    }

    @Override
    public String describe() {
      return method;
    }
  }

  private static final class Listener extends RunListener {
    private final Set<Outcome> outcomes;

    Listener(Set<Outcome> outcomes) {
      this.outcomes = outcomes;
    }

    @Override
    public void testFailure(Failure failure) {
      outcomes.add(Outcome.of("FAILED", failure));
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
      outcomes.add(Outcome.of("SKIPPED", failure));
    }
  }
}
