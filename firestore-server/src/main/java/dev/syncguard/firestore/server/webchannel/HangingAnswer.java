package dev.syncguard.firestore.server.webchannel;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;

/** An answer that is written bit by bit, as fast as the network takes it. Thread-safe. */
final class HangingAnswer implements BackChannel.Poll {
  private final HttpResponseWriter client = HttpResponse.streaming();
  private final ServiceRequestContext ctx;
  private final Session session;

  private HangingAnswer(ServiceRequestContext ctx, Session session) {
    this.ctx = ctx;
    this.session = session;
  }

  /** Lets the session answer a request for as long as it likes. */
  static HttpResponse open(
      ServiceRequestContext ctx, ResponseHeaders headers, Session session, ChannelQuery query) {
    HangingAnswer answer = new HangingAnswer(ctx, session);
    answer.client.write(headers);
    var unused = answer.client.whenComplete().handle((done, failure) -> {
      session.closed(answer);
      return null;
    });
    session.open(answer, query.longPolling(), query.patience(), query.acknowledged());
    return answer.client;
  }

  @Override
  public void write(String frame) {
    if (client.tryWrite(HttpData.ofAscii(frame))) {
      var unused = client.whenConsumed().thenRunAsync(() -> session.taken(this), ctx.eventLoop());
    }
  }

  @Override
  public void end() {
    client.close();
  }
}
