package dev.syncguard.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.AcquireResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A person at a desk: a store, a console about it, and a browser that looks. */
final class Desk implements BeforeEachCallback, AfterEachCallback {

  final MemoryLockBackend store = new MemoryLockBackend();
  /** What pages complained about: errors, refusals of the content policy, requests to elsewhere. */
  final List<String> complaints = new CopyOnWriteArrayList<>();

  private final List<AutoCloseable> open = new ArrayList<>();
  private @Nullable Browser browser;

  @Override
  public void beforeEach(ExtensionContext context) {
    browser = Chromium.of(context);
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  <T extends AutoCloseable> T closing(T thing) {
    open.add(thing);
    return thing;
  }

  Console.Builder console() {
    return Console.builder().locks(store, "memory").interval(Duration.ofMillis(100));
  }

  ConsoleServer serve(Console.Builder builder) {
    return serve(builder, 0);
  }

  ConsoleServer serve(Console.Builder builder, int port) {
    return closing(ConsoleServer.start(builder.build(), port));
  }

  /** Opens a page of a window of its own. */
  Page open(String address) {
    return open(address, new Browser.NewContextOptions().setViewportSize(1280, 800));
  }

  Page open(String address, Browser.NewContextOptions options) {
    Page page = window(options).newPage();
    watch(page);
    page.navigate(address);
    return page;
  }

  BrowserContext window(Browser.NewContextOptions options) {
    return closing(java.util.Objects.requireNonNull(browser).newContext(options));
  }

  void watch(Page page) {
    page.onPageError(error -> complaints.add("error: " + error));
    page.onConsoleMessage(message -> {
      if (message.type().equals("error") || message.type().equals("warning")) {
        complaints.add(message.type() + ": " + message.text());
      }
    });
    page.onRequest(request -> {
      if (!request.url().startsWith("http://127.0.0.1:")
          && !request.url().startsWith("http://localhost:")) {
        complaints.add("a request to elsewhere: " + request.url());
      }
    });
    page.onDialog(dialog -> {
      complaints.add("a dialog: " + dialog.message());
      dialog.dismiss();
    });
  }

  LockId take(String key, Duration ttl) {
    return take(key, ttl, "");
  }

  LockId take(String key, Duration ttl, String note) {
    LockId id = LockId.random(new java.security.SecureRandom());
    AcquireResult result = note.isEmpty()
        ? store.acquire(LockKey.of(key), id, Ttl.of(ttl), Cancellation.none())
        : store.acquire(LockKey.of(key), id, Ttl.of(ttl), LockNote.of(note), Cancellation.none());
    if (!(result instanceof AcquireResult.Acquired)) {
      throw new IllegalStateException("Somebody else holds it");
    }
    return id;
  }
}
