package dev.syncguard.sync;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Calls everything that the reader page can call, so that compiling this compiles the whole engine. */
public final class BrowserEntryPoint {

  private BrowserEntryPoint() {}

  public static void main(String[] args) {
    Http http = new NoHttp();
    ForumIdentity forum = new GraphQlForum(http, "https://forum.invalid/graphql");
    SyncPorts ports = new SyncPorts(
        http,
        new NoTimers(),
        new NoTime(),
        new NoValues(),
        SharedStore.none(),
        MutualExclusion.none(),
        forum,
        new NoRandom(),
        new Console());
    SyncConfig config = SyncConfig.builder(args.length == 0 ? Site.LESSWRONG : Site.EA_FORUM)
        .project("demo", "key")
        .endpoint("http://127.0.0.1/v1")
        .writesEnabled(true)
        .metadataProbe(true)
        .readOnlyWindowMillis(45_000)
        .requestTimeoutMillis(15_000)
        .writeFloorMillis(5_000)
        .idleAfterMillis(300_000)
        .readCap(10_000)
        .authorCap(1_000)
        .retentionDays(180)
        .dailyPushes(100, 200)
        .build();
    PersistenceSync sync = new PersistenceSync(config, ports);
    sync.start(outcome -> System.out.println(outcome.name()));
    new PersistenceSync(config, ports).start(GraphQlForum.currentUser("{}"), outcome -> {});
    ReaderState reader = sync.reader();
    reader.markRead(List.of("abc"));
    reader.forgetRead(Set.copyOf(reader.read()));
    reader.setLoadFrom(ReaderState.LOAD_RECENT);
    reader.setLoadFromAndClearRead(reader.loadFrom());
    reader.feedLoaded();
    reader.clearReadState();
    reader.setAuthorPreference("Ann", 1);
    System.out.println(reader.authorPreferences().size());
    sync.pageVisible();
    sync.pageFocused();
    sync.userActive();
    sync.pageHidden();
    sync.importState(sync.exportState());
    sync.pull(() -> System.out.println(sync.status().text()));
    sync.flush(() -> System.out.println(sync.debugSummary()));
    sync.setEnabled(!sync.isEnabled());
    sync.reset(outcome -> System.out.println(outcome.name()));
    sync.stop();
  }

  private static final class NoHttp implements Http {
    @Override
    public void send(Request request, Consumer<Reply> callback) {
      callback.accept(
          request.url().isEmpty() ? new Failure(Cause.OFFLINE) : new Answer(404, "{}", null));
    }
  }

  private static final class NoTimers implements Timers {
    @Override
    public Timer schedule(long delayMillis, Runnable task) {
      if (delayMillis < 0) {
        task.run();
      }
      return () -> {};
    }
  }

  private static final class NoTime implements Clocks {
    @Override
    public long wallMillis() {
      return System.currentTimeMillis();
    }

    @Override
    public long monotonicMillis() {
      return System.currentTimeMillis();
    }
  }

  private static final class NoValues implements KeyValueStore {
    @Override
    public @Nullable String get(String key) {
      return null;
    }

    @Override
    public void set(String key, String value) {}

    @Override
    public void remove(String key) {}

    @Override
    public void onForeignChange(Consumer<String> listener) {
      listener.accept("");
    }
  }

  private static final class NoRandom implements Random {
    @Override
    public String uuid() {
      return "00000000-0000-4000-8000-000000000000";
    }

    @Override
    public int below(int bound) {
      return 0;
    }
  }

  private static final class Console implements Listener {
    @Override
    public void statusChanged(SyncStatus status) {
      System.out.println(status.text() + status.hint());
    }

    @Override
    public void applied(Set<SyncedField> fields) {
      System.out.println(fields.size());
    }

    @Override
    public void notice(String text) {
      System.out.println(text);
    }

    @Override
    public void log(Level level, String text) {
      System.out.println(text);
    }
  }
}
