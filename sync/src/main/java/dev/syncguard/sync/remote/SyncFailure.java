package dev.syncguard.sync.remote;

/** What went wrong with a request, by what can be done about it. */
public enum SyncFailure {
  /** Somebody else wrote first: read again and merge. */
  CONFLICT,
  /** The project is out of quota: stay away for a while. */
  QUOTA,
  /** No usable answer, perhaps after the work was done: ask again later, and read before writing. */
  NETWORK,
  /** The environment did not let the request out. */
  REFUSED,
  /** The rules say no. */
  DENIED,
  /** Somebody on the way, or the server, finds it too big although we have measured that it fits: try again much later. */
  TOO_LARGE,
  /** The project has no database: somebody must create it, so try again much later. */
  NO_DATABASE,
  /** The server does not understand us: a bug of ours, so stop. */
  CLIENT_ERROR
}
