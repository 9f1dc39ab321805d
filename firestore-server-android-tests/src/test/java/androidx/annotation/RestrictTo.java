package androidx.annotation;

/** What annotations of the SDK speak of; without it, the compiler warns of each. */
public @interface RestrictTo {
  /** Returns who may use what is annotated. */
  Scope[] value();

  /** Who may use it. */
  enum Scope {
    LIBRARY,
    LIBRARY_GROUP,
    LIBRARY_GROUP_PREFIX,
    GROUP_ID,
    SUBCLASSES,
    TESTS
  }
}
