package dev.syncguard.firestore.server.webchannel;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.QueryParams;
import java.time.Duration;

/**
 * What the address of a request says.
 *
 * @param session the id of the session, or nothing in the first request
 * @param acknowledged the number of the last message that the client has
 * @param longPolling whether an answer must end for the client to get it
 * @param patience how long a long poll may hang
 */
record ChannelQuery(
    Kind kind,
    String session,
    String database,
    String headers,
    long acknowledged,
    boolean longPolling,
    Duration patience) {

  /** What a request is for. */
  enum Kind {
    OPEN,
    SEND,
    POLL,
    TERMINATE
  }

  private static final String VERSION = "8";
  private static final long MIN_PATIENCE_MILLIS = 5_000;
  private static final long MAX_PATIENCE_MILLIS = BackChannel.NOOP_AFTER.toMillis();

  /** Reads the parameters, or refuses what no client sends. */
  static ChannelQuery parse(HttpMethod method, QueryParams parameters) {
    String session = parameters.get("SID", "");
    Kind kind = kind(method, parameters.get("TYPE", ""), session);
    if (!parameters.get("VER", VERSION).equals(VERSION)) {
      throw new IllegalArgumentException("the version is not supported");
    }
    boolean acknowledges = kind == Kind.POLL || kind == Kind.SEND;
    long acknowledged = acknowledges ? Long.parseLong(parameters.get("AID", "0")) : 0;
    long patience = Long.parseLong(parameters.get("TO", Long.toString(MAX_PATIENCE_MILLIS)));
    return new ChannelQuery(
        kind,
        session,
        parameters.get("database", ""),
        parameters.get("$httpHeaders", ""),
        acknowledged,
        parameters.get("CI", "0").equals("1"),
        Duration.ofMillis(Math.max(MIN_PATIENCE_MILLIS, Math.min(MAX_PATIENCE_MILLIS, patience))));
  }

  private static Kind kind(HttpMethod method, String type, String session) {
    if (type.equals("terminate")) {
      return Kind.TERMINATE;
    }
    boolean isNew = session.isEmpty() || session.equals("null");
    if (method == HttpMethod.POST) {
      return isNew ? Kind.OPEN : Kind.SEND;
    }
    if (method == HttpMethod.GET && !isNew) {
      return Kind.POLL;
    }
    throw new IllegalArgumentException("no client asks for this");
  }
}
