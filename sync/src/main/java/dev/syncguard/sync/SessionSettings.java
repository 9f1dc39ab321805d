package dev.syncguard.sync;

import org.jspecify.annotations.Nullable;

/** What one session goes by: where it syncs, how much and how fast. {@code SyncConfig} checks it. Immutable. */
final class SessionSettings {

  final Site site;
  final @Nullable String project;
  final String apiKey;
  final String endpoint;
  final boolean writesEnabled;
  final boolean metadataProbe;
  final boolean operatorLimits;
  final long readOnlyWindowMillis;
  final long requestTimeoutMillis;
  final long writeFloorMillis;
  final long idleAfterMillis;
  final int readCap;
  final int authorCap;
  final int retentionDays;
  final int softBudget;
  final int hardBudget;

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
  Draft draft() {
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
  static final class Draft {

    private static final String PRODUCTION = "https://firestore.googleapis.com/v1";

    final Site site;
    @Nullable String project;
    String apiKey = "";
    String endpoint = PRODUCTION;
    boolean writesEnabled = true;
    boolean metadataProbe = true;
    boolean operatorLimits;
    long readOnlyWindowMillis = 45_000;
    long requestTimeoutMillis = 15_000;
    long writeFloorMillis = 5_000;
    long idleAfterMillis = 300_000;
    int readCap = 10_000;
    int authorCap = 1_000;
    int retentionDays = 180;
    int softBudget = 100;
    int hardBudget = 200;

    Draft(Site site) {
      this.site = site;
    }

    SessionSettings finished() {
      return new SessionSettings(this);
    }
  }
}
