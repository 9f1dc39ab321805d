package dev.syncguard.userscript.page;

import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.Site;
import org.teavm.jso.JSBody;
import org.teavm.jso.browser.Window;

/**
 * Starts over at an earlier date.
 *
 * <p>Between devices the later date wins, so an earlier one needs a reset of all of them. What the reader did not ask to
 * lose, their preferences, waits here until the page has come back.
 */
final class Restart {

  private Restart() {}

  private static String key(Site site) {
    return site.keyPrefix() + "power-reader-restart";
  }

  static void at(String loadFrom, Site site, PersistenceSync sync, KeyValueStore values) {
    values.set(key(site), withoutMarks(sync.exportState(), loadFrom));
    sync.reset(outcome -> {
      if (ResetPage.isDone(outcome)) {
        values.remove(Marks.key(site));
        Window.current().getLocation().reload();
      } else {
        values.remove(key(site));
        Notices.show(ResetPage.REFUSED);
      }
    });
  }

  /** Takes in what waits from before the reset, if anything does. */
  static void finish(Site site, PersistenceSync sync, KeyValueStore values) {
    String state = values.get(key(site));
    if (state != null && !state.isEmpty()) {
      values.remove(key(site));
      sync.importState(state);
    }
  }

  @JSBody(
      params = {"state", "loadFrom"},
      script =
          "return JSON.stringify({loadFrom: loadFrom, authorPrefs: JSON.parse(state).authorPrefs});")
  private static native String withoutMarks(String state, String loadFrom);
}
