package dev.syncguard.firestore.server.rest;

import com.google.firestore.v1.Document;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.auth.BearerTokens;
import dev.syncguard.firestore.server.operation.Operations;
import java.util.Optional;
import java.util.function.Consumer;

/** Firestore's REST interface below {@code /v1/} and its older name {@code /v1beta1/}. Thread-safe. */
public final class FirestoreRestService implements HttpService {
  private final DocumentRoutes documents;
  private final VerbRoutes verbs;

  /** Creates a service that answers by these operations. */
  public FirestoreRestService(Operations operations) {
    this.documents = new DocumentRoutes(operations);
    this.verbs = new VerbRoutes(operations);
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    return HttpResponse.of(RequestBody.of(request)
        .thenApplyAsync(body -> respond(ctx, request.headers(), body), ctx.blockingTaskExecutor()));
  }

  private HttpResponse respond(ServiceRequestContext ctx, RequestHeaders request, String body) {
    try {
      return answer(ctx, request, body).orElseGet(HttpErrors::notFound);
    } catch (Throwable e) {
      return HttpErrors.response(e);
    }
  }

  private Optional<HttpResponse> answer(
      ServiceRequestContext ctx, RequestHeaders request, String body) {
    String url = request.path();
    int mark = url.indexOf('?');
    String rawPath = mark < 0 ? url : url.substring(0, mark);
    QueryParams query =
        mark < 0 ? QueryParams.of() : QueryParams.fromQueryString(url.substring(mark + 1));
    boolean post = request.method() == HttpMethod.POST;
    String below = rawPath.substring(rawPath.indexOf('/', 1) + 1);
    RestPath path = RestPath.parse(below, post).orElse(null);
    if (path == null) {
      return Optional.empty();
    }
    AuthContext who = BearerTokens.parse(request.get(HttpHeaderNames.AUTHORIZATION));
    RestParameters parameters = new RestParameters(query);
    if (!path.verb().isEmpty()) {
      return verbs.answer(ctx, who, path, body);
    }
    Consumer<Document> reserve = answer -> JsonAnswer.reserve(ctx, answer);
    return switch (request.method()) {
      case GET -> documents.get(who, path, parameters).map(answer -> JsonAnswer.of(ctx, answer));
      case POST -> documents.create(who, path, parameters, body, reserve).map(JsonAnswer::done);
      case PATCH -> documents.update(who, path, parameters, body, reserve).map(JsonAnswer::done);
      case DELETE -> documents.delete(who, path, parameters).map(JsonAnswer::done);
      default -> Optional.empty();
    };
  }
}
