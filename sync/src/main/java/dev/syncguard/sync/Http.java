package dev.syncguard.sync;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends HTTP requests: {@code GM_xmlhttpRequest} in a browser, {@code java.net.http} on a JVM, a script in a test.
 *
 * <p>The engine calls it on its own thread and expects the callback there too, once, and never from inside
 * {@link #send}. It survives implementations that call back twice, never, or throw.
 */
public interface Http {

  /** Sends one request and later passes what became of it to {@code callback}. */
  void send(Request request, Consumer<Reply> callback);

  /** The methods that sync uses. There is no DELETE and no PATCH. */
  enum Method {
    /** Asks. */
    GET,
    /** Sends a body. */
    POST
  }

  /**
   * One request.
   *
   * @param url may hold a capability or an API key, so it must not be logged
   * @param body JSON, or null when there is none
   * @param timeoutMillis after which the implementation should answer {@link Cause#TIMEOUT}
   */
  record Request(Method method, String url, @Nullable String body, long timeoutMillis) {
    @Override
    public String toString() {
      return method + " request";
    }
  }

  /** What became of a request. */
  sealed interface Reply {}

  /**
   * A server answered, with whatever status.
   *
   * @param date the {@code Date} header as it came, or null when it is not visible
   */
  record Answer(int status, String body, @Nullable String date) implements Reply {
    @Override
    public String toString() {
      return "Answer[" + status + "]";
    }
  }

  /** No answer came. The request may have arrived all the same. */
  record Failure(Cause cause) implements Reply {}

  /** Why no answer came. */
  enum Cause {
    /** Nothing was heard in time. */
    TIMEOUT,
    /** The network is down or the host cannot be reached. */
    OFFLINE,
    /**
     * The request was not let out, or failed without a status, although the machine believes that it is online: a
     * userscript manager that was not allowed to reach the host looks like this.
     */
    REFUSED
  }
}
