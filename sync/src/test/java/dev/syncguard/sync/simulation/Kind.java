package dev.syncguard.sync.simulation;

/** The parts of a reader's state, by the names that stored formats give them. */
enum Kind {
  READ("read"),
  LOAD_FROM("loadFrom"),
  AUTHORS("authorPrefs");

  final String id;

  Kind(String id) {
    this.id = id;
  }
}
