package dev.syncguard.firestore.server.http;

import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import org.reactivestreams.Publisher;

/**
 * Has a request handed over when its head is there, and its body piece by piece. The web server would collect a unary call
 * first, and until all of it has arrived nobody could limit its time or count its bytes. Immutable.
 */
public final class ArrivingRequests extends SimpleDecoratingHttpService {
  /** Creates a service that is given requests while they arrive. */
  public ArrivingRequests(HttpService delegate) {
    super(delegate);
  }

  @Override
  public ExchangeType exchangeType(RoutingContext context) {
    return ExchangeType.of(true, super.exchangeType(context).isResponseStreaming());
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) throws Exception {
    // A stream of Armeria's own would be collected at its source, past whoever counts.
    Publisher<HttpObject> pieces = subscriber -> request.subscribe(subscriber);
    return ((HttpService) unwrap()).serve(ctx, HttpRequest.of(request.headers(), pieces));
  }
}
