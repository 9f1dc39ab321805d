package dev.syncguard.sync;

/** A forum. Nothing travels from one to the other. */
public enum Site {
  /** LessWrong. */
  LESSWRONG("lw", ""),
  /** The Effective Altruism Forum. */
  EA_FORUM("eaf", "ea-");

  private final String id;
  private final String keyPrefix;

  Site(String id, String keyPrefix) {
    this.id = id;
    this.keyPrefix = keyPrefix;
  }

  /** Returns the name in document paths and envelopes: {@code lw} or {@code eaf}. */
  public String id() {
    return id;
  }

  /** Returns what the site puts before each key of the device's store. */
  public String keyPrefix() {
    return keyPrefix;
  }
}
