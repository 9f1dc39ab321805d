package dev.syncguard.firestore.server.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.firestore.v1.RunQueryRequest;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.listen.Listeners;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.query.Query;
import org.jspecify.annotations.Nullable;

/** Answers those who look inside, below {@code /inspect/}; for the administrator on this machine. Thread-safe. */
public final class InspectService implements HttpService {
  private final RequestLog log;
  private final Databases databases;
  private final Listeners listeners;
  private final IndexCheck required;

  /** @param required refuses queries that lack an index, whether or not the server runs them all the same */
  public InspectService(
      RequestLog log, Databases databases, Listeners listeners, IndexCheck required) {
    this.log = log;
    this.databases = databases;
    this.listeners = listeners;
    this.required = required;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    return HttpResponse.of(request
        .aggregate()
        .thenApplyAsync(whole -> answer(ctx, whole), ctx.blockingTaskExecutor()));
  }

  private HttpResponse answer(ServiceRequestContext ctx, AggregatedHttpRequest request) {
    boolean post = request.method() == HttpMethod.POST;
    return switch (ctx.path()) {
      case "/inspect/requests" -> json(log.since(number(ctx.queryParam("after"))));
      case "/inspect/activity" -> json(activity());
      case "/inspect/changes" -> ChangeStream.open(ctx, new ChangeWatch(databases, listeners, log));
      case "/inspect/index" ->
        post ? index(request.contentUtf8()) : HttpResponse.of(HttpStatus.METHOD_NOT_ALLOWED);
      default -> HttpResponse.of(HttpStatus.NOT_FOUND);
    };
  }

  private static long number(@Nullable String text) {
    try {
      return text == null ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private ObjectNode activity() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode transactions = node.putArray("transactions");
    databases
        .all()
        .forEach(served -> served.transactions().open().forEach(open -> {
          ObjectNode item = transactions.addObject();
          item.put("database", served.database().name().toString()).put("number", open.number());
          item.put("kind", open.kind()).put("ageMs", open.age().toMillis());
          item.put("idleMs", open.idle().toMillis()).put("waiting", open.waiting());
          ArrayNode locks = item.putArray("locks");
          open.locks().forEach(locks::add);
        }));
    ArrayNode streams = node.putArray("listeners");
    listeners.open().forEach(open -> {
      ObjectNode item = streams.addObject().put("caller", open.caller());
      item.put("database", open.database()).put("ageMs", open.age().toMillis());
      ArrayNode targets = item.putArray("targets");
      open.targets().forEach(targets::add);
    });
    return node;
  }

  private HttpResponse index(String body) {
    RunQueryRequest.Builder request = RunQueryRequest.newBuilder();
    try {
      JsonFormat.parser().merge(body, request);
      Query query = Query.of(ParentName.parse(request.getParent()), request.getStructuredQuery());
      ObjectNode node = JsonNodeFactory.instance.objectNode();
      try {
        required.check(query);
        return json(node.put("missing", false));
      } catch (FirestoreServerException e) {
        return json(node.put("missing", true).put("message", e.getMessage()));
      }
    } catch (InvalidProtocolBufferException | FirestoreServerException e) {
      ObjectNode error = JsonNodeFactory.instance.objectNode();
      error.putObject("error").put("message", String.valueOf(e.getMessage()));
      return HttpResponse.of(HttpStatus.BAD_REQUEST, MediaType.JSON_UTF_8, error.toString());
    }
  }

  private static HttpResponse json(ObjectNode node) {
    return HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, node.toString());
  }
}
