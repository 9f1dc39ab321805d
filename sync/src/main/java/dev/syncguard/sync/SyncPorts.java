package dev.syncguard.sync;

/** Everything outside of the engine, in one hand. */
public record SyncPorts(
    Http http,
    Timers timers,
    Clocks clocks,
    KeyValueStore values,
    SharedStore shared,
    MutualExclusion exclusion,
    ForumIdentity forum,
    Random random,
    Listener listener) {}
