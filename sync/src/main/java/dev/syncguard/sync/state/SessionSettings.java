package dev.syncguard.sync.state;

import dev.syncguard.sync.Site;
import org.jspecify.annotations.Nullable;

/** What one session goes by: where it syncs, how much and how fast. {@code SyncConfig} checks it. Immutable. */
public final class SessionSettings {

  public final Site site;
  public final @Nullable String project;
  public final String apiKey;
  public final String endpoint;
  public final boolean writesEnabled;
  public final boolean metadataProbe;
  public final boolean operatorLimits;
  public final long readOnlyWindowMillis;
  public final long requestTimeoutMillis;
  public final long writeFloorMillis;
  public final long idleAfterMillis;
  public final int readCap;
  public final int authorCap;
  public final int retentionDays;
  public final int softBudget;
  public final int hardBudget;

  private SessionSettings(Draft draft) {
    site = draft.site;
    project = draft.project;
    apiKey = draft.apiKey;
    endpoint = draft.endpoint;
    writesEnabled = draft.writesEnabled;
    metadataProbe = draft.metadataProbe;
    operatorLimits = draft.operatorLimits;
    readOnlyWindowMillis = draft.readOnlyWindowMillis;
    requestTimeoutMillis = draft.requestTimeoutMillis;
    writeFloorMillis = draft.writeFloorMillis;
    idleAfterMillis = draft.idleAfterMillis;
    readCap = draft.readCap;
    authorCap = draft.authorCap;
    retentionDays = draft.retentionDays;
    softBudget = draft.softBudget;
    hardBudget = draft.hardBudget;
  }

  /** Returns a draft that says the same. */
  public Draft draft() {
    Draft draft = new Draft(site);
    draft.project = project;
    draft.apiKey = apiKey;
    draft.endpoint = endpoint;
    draft.writesEnabled = writesEnabled;
    draft.metadataProbe = metadataProbe;
    draft.operatorLimits = operatorLimits;
    draft.readOnlyWindowMillis = readOnlyWindowMillis;
    draft.requestTimeoutMillis = requestTimeoutMillis;
    draft.writeFloorMillis = writeFloorMillis;
    draft.idleAfterMillis = idleAfterMillis;
    draft.readCap = readCap;
    draft.authorCap = authorCap;
    draft.retentionDays = retentionDays;
    draft.softBudget = softBudget;
    draft.hardBudget = hardBudget;
    return draft;
  }

  /** Settings that are still being made. Begins with the defaults. */
  public static final class Draft {

    private static final String PRODUCTION = "https://firestore.googleapis.com/v1";

    public final Site site;
    public @Nullable String project;
    public String apiKey = "";
    public String endpoint = PRODUCTION;
    public boolean writesEnabled = true;
    public boolean metadataProbe = true;
    public boolean operatorLimits;
    public long readOnlyWindowMillis = 45_000;
    public long requestTimeoutMillis = 15_000;
    public long writeFloorMillis = 5_000;
    public long idleAfterMillis = 300_000;
    public int readCap = 10_000;
    public int authorCap = 1_000;
    public int retentionDays = 180;
    public int softBudget = 100;
    public int hardBudget = 200;

    public Draft(Site site) {
      this.site = site;
    }

    public SessionSettings finished() {
      return new SessionSettings(this);
    }
  }
}
