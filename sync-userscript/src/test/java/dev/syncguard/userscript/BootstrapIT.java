package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How the tabs of a browser keep from making two secrets, with whatever that browser has for it. */
class BootstrapIT {

  private static final String NO_LOCKS =
      "Object.defineProperty(Navigator.prototype, 'locks', {get: () => undefined});";
  private static final String NO_WORDS_BETWEEN_TABS = """
      for (const name of ['getItem', 'setItem', 'removeItem']) {
        const real = Storage.prototype[name];
        Storage.prototype[name] = function (key, value) {
          if (String(key).startsWith('pr-sync-')) throw new DOMException('denied', 'SecurityError');
          return real.call(this, key, value);
        };
      }
      """;
  private static final String TOLD_TOKENS = """
      window.tokens = [];
      const setItem = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, value) {
        if (key.startsWith('pr-sync-lock-')) window.tokens.push(key);
        return setItem.call(this, key, value);
      };
      """;
  private static final String TOKEN = "pr-sync-lock-lw-aLiCeReAdErAbCdEf";

  @RegisterExtension
  final World world = new World();

  @Test
  @Tag("PR-PERSIST-64")
  void whereLocksExistNoTokenIsWritten() {
    Device device = world.device();
    device.context().addInitScript(TOLD_TOKENS);

    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.awaitStatus("Sync: OK");
    assertThat(world.content().profileChanges()).isEqualTo(1);
    assertThat(tab.page().evaluate("window.tokens.length")).isEqualTo(0);
  }

  @Test
  @Tag("PR-PERSIST-64")
  void withoutLocksATokenInTheStorageStandsInForThem() {
    Device device = world.device();
    device.context().addInitScript(NO_LOCKS);
    device.context().addInitScript(TOLD_TOKENS);

    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.awaitStatus("Sync: OK");
    assertThat(world.content().profileChanges()).isEqualTo(1);
    assertThat(tab.page().evaluate("window.tokens[0]")).isEqualTo(TOKEN);
    assertThat(tab.page().evaluate("key => localStorage.getItem(key)", TOKEN)).isNull();
  }

  @Test
  @Tag("PR-PERSIST-64")
  void withoutLocksTheTokenOfAnotherTabIsRespected() {
    Device device = world.device();
    device.context().addInitScript(NO_LOCKS);
    device
        .context()
        .addInitScript("if (location.protocol === 'http:') localStorage.setItem('" + TOKEN
            + "', JSON.stringify({token: 'theirs', expiresAtMs: Date.now() + 10000}));");

    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.awaitStatus("Sync: unavailable");
    assertThat(world.content().profileChanges()).isZero();
  }

  @Test
  @Tag("PR-PERSIST-64")
  void withoutLocksAndWithoutAStorageItGoesOnWithoutEither() {
    Device device = world.device();
    device.context().addInitScript(NO_LOCKS);
    device.context().addInitScript(NO_WORDS_BETWEEN_TABS);

    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.awaitStatus("Sync: OK");
    assertThat(world.content().profileChanges()).isEqualTo(1);
  }
}
