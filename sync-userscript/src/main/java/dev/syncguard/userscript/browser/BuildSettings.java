package dev.syncguard.userscript.browser;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncConfig;
import org.teavm.jso.JSBody;
import org.teavm.jso.browser.Window;

/** The named constants at the top of the script. */
public final class BuildSettings {

  private BuildSettings() {}

  /** Returns the forum that this page belongs to. */
  public static Site site() {
    String fixed = fixedSite();
    boolean ea = fixed.isEmpty()
        ? Window.current().getLocation().getHostName().equals("forum.effectivealtruism.org")
        : fixed.equals("eaf");
    return ea ? Site.EA_FORUM : Site.LESSWRONG;
  }

  /** Returns where to sync, which is nowhere when no project was configured. */
  public static SyncConfig config(Site site) {
    SyncConfig.Builder builder = SyncConfig.builder(site);
    if (!project().isEmpty()) {
      builder.project(project(), apiKey()).endpoint(endpoint()).operatorLimits(true);
    }
    return builder.build();
  }

  /** Returns the version of the script. */
  @JSBody(script = "return POWER_READER_VERSION;")
  public static native String version();

  /** Returns the style sheet of the reader page. */
  @JSBody(script = "return POWER_READER_CSS;")
  public static native String css();

  @JSBody(script = "return POWER_READER_SITE;")
  private static native String fixedSite();

  @JSBody(script = "return POWER_READER_PROJECT;")
  private static native String project();

  @JSBody(script = "return POWER_READER_API_KEY;")
  private static native String apiKey();

  @JSBody(script = "return POWER_READER_ENDPOINT;")
  private static native String endpoint();
}
