package dev.syncguard.firestore.server.webchannel;

/** What runs behind a session: the same streams that calls over gRPC have. Nothing here waits. Thread-safe. */
interface ChannelStream {
  /** Takes a message of the client. The next one comes after it has told the session to listen on. */
  void request(String json);

  /** Goes on after the client was slow. */
  void ready();

  /** Stops; nothing is told any more. */
  void close();

  /** A stream that never was: its session has failed from the start. */
  ChannelStream NONE = new ChannelStream() {
    @Override
    public void request(String json) {}

    @Override
    public void ready() {}

    @Override
    public void close() {}
  };
}
