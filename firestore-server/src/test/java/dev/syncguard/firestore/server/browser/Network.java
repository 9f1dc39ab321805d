package dev.syncguard.firestore.server.browser;

import java.io.IOException;

/** What lies between a browser and the server. */
interface Network extends AutoCloseable {
  /** Returns where the browser finds the server. */
  String address();

  /** Breaks every connection there is. */
  void cut() throws IOException;

  @Override
  void close() throws IOException;
}
