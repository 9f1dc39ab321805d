package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Catches the signals that this process gets, until closed.
 *
 * <p>Until somebody takes them over, one that asks us to end cancels what we wait for. Java keeps QUIT for itself.
 *
 * <p>The JDK has no supported interface for signals but {@code sun.misc.Signal}, whose mere mention in a source is a
 * warning that fails the build; hence the reflection.
 */
final class Signals implements AutoCloseable {

  /** The signals that ask a program to end. */
  static final List<String> ENDING = List.of("INT", "TERM", "HUP");

  /** Those and the ones that programs give a meaning of their own. */
  static final List<String> ALL = List.of("INT", "TERM", "HUP", "USR1", "USR2");

  private final Cancellation cancellation = Cancellation.create();
  private final List<String> caught;
  private final List<String> received = new ArrayList<>();
  private int endingNumber;
  private @Nullable Consumer<String> receiver;

  private Signals(List<String> caught) {
    this.caught = caught;
  }

  static Signals catching(List<String> names) {
    Signals signals = new Signals(names);
    InvocationHandler handler = (proxy, method, arguments) -> switch (method.getName()) {
      case "handle" -> signals.receive(arguments[0]);
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> proxy == arguments[0];
      default -> "Signals";
    };
    Native jdk = Native.load();
    Object proxy = Proxy.newProxyInstance(
        Signals.class.getClassLoader(), new Class<?>[] {jdk.handlerType}, handler);
    names.forEach(name -> jdk.handle(name, proxy));
    return signals;
  }

  /** Returns what is cancelled when a signal asks us to end. */
  Cancellation cancellation() {
    return cancellation;
  }

  /** Hands all signals, those that have already come included, to the given receiver from now on. */
  synchronized void handTo(Consumer<String> newReceiver) {
    receiver = newReceiver;
    received.forEach(newReceiver);
    received.clear();
  }

  /** Returns the exit code of the signal that made us give up, or throws what else happened. */
  synchronized int exitCodeOr(RuntimeException failure) {
    if (endingNumber > 0
        && failure instanceof LockException e
        && e.code() == LockException.Code.ABORTED) {
      return ExitCode.ofSignal(endingNumber);
    }
    throw failure;
  }

  /** Returns the number of the signal that asked us to end, or 0. */
  synchronized int endingNumber() {
    return endingNumber;
  }

  private @Nullable Object receive(Object signal) throws ReflectiveOperationException {
    String name = (String) signal.getClass().getMethod("getName").invoke(signal);
    synchronized (this) {
      if (receiver != null) {
        receiver.accept(name);
        return null;
      }
      received.add(name);
      if (ENDING.contains(name)) {
        endingNumber = (int) signal.getClass().getMethod("getNumber").invoke(signal);
      }
    }
    if (ENDING.contains(name)) {
      cancellation.cancel();
    }
    return null;
  }

  @Override
  public void close() {
    Native jdk = Native.load();
    caught.forEach(name -> jdk.handle(name, jdk.defaultHandler()));
  }

  private record Native(Class<?> signalType, Class<?> handlerType) {

    static Native load() {
      try {
        return new Native(
            Class.forName("sun.misc.Signal"), Class.forName("sun.misc.SignalHandler"));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("This Java has no sun.misc.Signal", e);
      }
    }

    void handle(String name, Object handler) {
      try {
        signalType
            .getMethod("handle", signalType, handlerType)
            .invoke(null, signalType.getConstructor(String.class).newInstance(name), handler);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("This Java cannot catch the signal " + name, e);
      }
    }

    Object defaultHandler() {
      try {
        return handlerType.getField("SIG_DFL").get(null);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("This Java has no default signal handler", e);
      }
    }
  }
}
