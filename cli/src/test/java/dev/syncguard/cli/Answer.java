package dev.syncguard.cli;

/** What the program did. */
record Answer(int exitCode, String out, String err) {

  /** Returns the only line of standard output, with all that differs from run to run replaced by its name. */
  String golden() {
    return out.strip()
        .replaceAll("\"lockId\":\"[A-Za-z0-9_-]{22}\"", "\"lockId\":ID")
        .replaceAll("\"lockIdHash\":\"[0-9a-f]{24}\"", "\"lockIdHash\":HASH")
        .replaceAll("Ms\":[0-9]+", "Ms\":N");
  }
}
