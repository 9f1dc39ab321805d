package dev.syncguard.sync;

import dev.syncguard.sync.state.SessionSettings;

/**
 * Where to sync and how much, fixed for one session.
 *
 * <p>Without a {@linkplain Builder#project project} the reader stays local. All limits can be tightened, for an incident,
 * but not loosened beyond what the rules of the database accept. Immutable.
 */
public final class SyncConfig {

  final SessionSettings settings;

  private SyncConfig(SessionSettings settings) {
    this.settings = settings;
  }

  /** Returns a builder for the given forum, local only until a project is set. */
  public static Builder builder(Site site) {
    return new Builder(site);
  }

  /** Returns the forum. */
  public Site site() {
    return settings.site;
  }

  /** Collects the settings of a session. */
  public static final class Builder {
    private final SessionSettings.Draft draft;

    private Builder(Site site) {
      draft = new SessionSettings.Draft(site);
    }

    /** Sets the Firebase project and its web API key, which identifies the project and is no secret. */
    public Builder project(String id, String webApiKey) {
      if (id.isEmpty() || id.indexOf('/') >= 0 || id.indexOf(' ') >= 0) {
        throw new IllegalArgumentException("The project must be a Firebase project id");
      }
      draft.project = id;
      draft.apiKey = webApiKey;
      return this;
    }

    /** Sets another server than Google's, with its version: {@code http://127.0.0.1:8080/v1}. */
    public Builder endpoint(String url) {
      if (!url.startsWith("http://") && !url.startsWith("https://")) {
        throw new IllegalArgumentException("The endpoint must be an http or https URL");
      }
      draft.endpoint = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
      return this;
    }

    /** Sets whether anything is written remotely; pulling goes on. The default is true. */
    public Builder writesEnabled(boolean enabled) {
      draft.writesEnabled = enabled;
      return this;
    }

    /** Sets whether a background pull first asks only if something changed. The default is true. */
    public Builder metadataProbe(boolean enabled) {
      draft.metadataProbe = enabled;
      return this;
    }

    /**
     * Sets whether the operator of the project may tighten these limits and stop writes, by a document that is read once
     * an hour. The default is false.
     */
    public Builder operatorLimits(boolean enabled) {
      draft.operatorLimits = enabled;
      return this;
    }

    /** Sets the pause between pushes of nothing but read marks: 30 to 60 s, 45 s by default. */
    public Builder readOnlyWindowMillis(long millis) {
      draft.readOnlyWindowMillis = within("readOnlyWindowMillis", millis, 30_000, 60_000);
      return this;
    }

    /** Sets after which time a request counts as lost: 10 to 20 s, 15 s by default. */
    public Builder requestTimeoutMillis(long millis) {
      draft.requestTimeoutMillis = within("requestTimeoutMillis", millis, 10_000, 20_000);
      return this;
    }

    /** Sets the least time between two writes of a document: 5 s, which is the default, to an hour. */
    public Builder writeFloorMillis(long millis) {
      draft.writeFloorMillis = within("writeFloorMillis", millis, 5_000, 3_600_000);
      return this;
    }

    /** Sets after which time without input the reader counts as away: 1 min to a day, 5 min by default. */
    public Builder idleAfterMillis(long millis) {
      draft.idleAfterMillis = within("idleAfterMillis", millis, 60_000, 86_400_000);
      return this;
    }

    /** Sets how many read marks a document may hold before they are all cleared: at most and by default 10,000. */
    public Builder readCap(int marks) {
      draft.readCap = (int) within("readCap", marks, 1, 10_000);
      return this;
    }

    /** Sets how many author preferences a document may hold: at most and by default 1,000. */
    public Builder authorCap(int authors) {
      draft.authorCap = (int) within("authorCap", authors, 1, 1_000);
      return this;
    }

    /** Sets after how many days without a write the remote document expires: at most and by default 180. */
    public Builder retentionDays(int days) {
      draft.retentionDays = (int) within("retentionDays", days, 1, 180);
      return this;
    }

    /** Sets after how many pushes a day they become rare, and after how many they stop: 100 and 200 by default. */
    public Builder dailyPushes(int soft, int hard) {
      draft.softBudget = (int) within("soft", soft, 1, 100);
      draft.hardBudget = (int) within("hard", hard, soft, 200);
      return this;
    }

    /** Returns the finished settings. */
    public SyncConfig build() {
      return new SyncConfig(draft.finished());
    }

    private static long within(String name, long value, long least, long most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            name + " must be from " + least + " to " + most + ", but was " + value);
      }
      return value;
    }
  }
}
