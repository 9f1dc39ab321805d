package dev.syncguard.userscript.page;

import dev.syncguard.sync.GraphQlForum;
import dev.syncguard.sync.Http;
import dev.syncguard.sync.Listener;
import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncPorts;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.userscript.browser.BrowserClock;
import dev.syncguard.userscript.browser.BuildSettings;
import dev.syncguard.userscript.browser.ForumHttp;
import dev.syncguard.userscript.browser.GmHttp;
import dev.syncguard.userscript.browser.GmValues;
import dev.syncguard.userscript.browser.LocalStorageWords;
import dev.syncguard.userscript.browser.PageEvents;
import dev.syncguard.userscript.browser.WebCryptoRandom;
import dev.syncguard.userscript.browser.WebLocks;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.browser.Location;
import org.teavm.jso.browser.Window;
import org.teavm.jso.dom.html.HTMLElement;

/** Where the userscript begins. */
public final class PowerReader {

  private PowerReader() {}

  /** Does what the address asks for. */
  public static void main(String[] args) {
    Location location = Window.current().getLocation();
    Site site = BuildSettings.site();
    Route route = Route.of(location);
    if (route == Route.READER) {
      Takeover.run(site, root -> read(site, root));
    } else if (route == Route.RESET) {
      Takeover.run(site, root -> reset(site, root));
    } else if (route == Route.ARCHIVE) {
      String username = Route.parameter(location.getSearch(), "username");
      Takeover.run(site, root -> ArchivePage.show(site, root, username));
    } else {
      ForumLinks.keepInHeader();
    }
  }

  private static void read(Site site, HTMLElement root) {
    var values = new GmValues();
    var clock = new BrowserClock();
    var name = new OverheardName(new ForumHttp());
    var relay = new Relay();
    var sync = new PersistenceSync(BuildSettings.config(site), ports(values, clock, name, relay));
    var page = new ReaderPage(site, root, new Forum(site, name), sync, values, clock);
    relay.to = page;
    page.open();
    Restart.finish(site, sync, values);
    if (PageEvents.isHidden()) {
      sync.pageHidden();
    }
    sync.start(outcome -> {
      page.setUser(name.name());
      page.begin();
    });
    new PageEvents(sync, clock).listen();
  }

  private static void reset(Site site, HTMLElement root) {
    var values = new GmValues();
    var sync = new PersistenceSync(
        BuildSettings.config(site),
        ports(values, new BrowserClock(), new ForumHttp(), new Relay()));
    ResetPage.show(site, root, sync, values);
  }

  private static SyncPorts ports(
      GmValues values, BrowserClock clock, Http forum, Listener listener) {
    return new SyncPorts(
        new GmHttp(),
        clock,
        clock,
        values,
        new LocalStorageWords(),
        new WebLocks(),
        new GraphQlForum(forum, "/graphql"),
        new WebCryptoRandom(),
        listener);
  }

  /** Passes on what the engine says, once there is somebody to hear it: page and engine need each other. */
  private static final class Relay implements Listener {
    private @Nullable Listener to;

    @Override
    public void statusChanged(SyncStatus status) {
      if (to != null) {
        to.statusChanged(status);
      }
    }

    @Override
    public void applied(Set<SyncedField> fields) {
      if (to != null) {
        to.applied(fields);
      }
    }

    @Override
    public void notice(String text) {
      if (to != null) {
        to.notice(text);
      }
    }

    @Override
    public void log(Level level, String text) {
      Console.write(level, text);
    }
  }
}
