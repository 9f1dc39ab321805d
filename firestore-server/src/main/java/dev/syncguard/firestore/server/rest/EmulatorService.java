package dev.syncguard.firestore.server.rest;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.operation.Databases;
import java.util.Optional;

/** What the official emulator offers beside the API: a sign of life, rules, and ways to start afresh. Thread-safe. */
public final class EmulatorService implements HttpService {
  private static final String PREFIX = "/emulator/v1/";

  private final Databases databases;
  private final RulesRoutes rules;
  private final ExportRoutes exports;
  private final FunctionRoutes functions;
  private final Runnable reset;
  private final Runnable shutdown;

  /**
   * @param reset makes everything as it was at the start
   * @param shutdown stops the server; must return at once
   */
  public EmulatorService(
      Databases databases,
      RulesRoutes rules,
      ExportRoutes exports,
      FunctionRoutes functions,
      Runnable reset,
      Runnable shutdown) {
    this.databases = databases;
    this.rules = rules;
    this.exports = exports;
    this.functions = functions;
    this.reset = reset;
    this.shutdown = shutdown;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    return HttpResponse.of(request
        .aggregate()
        .thenApplyAsync(
            whole -> {
              try {
                return respond(ctx, whole);
              } catch (Throwable e) {
                return HttpErrors.response(e);
              }
            },
            ctx.blockingTaskExecutor()));
  }

  private HttpResponse respond(ServiceRequestContext ctx, AggregatedHttpRequest request) {
    HttpMethod method = request.method();
    String path = ctx.path();
    if (method == HttpMethod.POST && exports.isMeant(path)) {
      return exports.answer(ctx, request);
    }
    if (method == HttpMethod.GET && path.equals("/")) {
      return ok("Ok\n");
    }
    if (method == HttpMethod.POST && path.equals("/reset")) {
      reset.run();
      return ok("Resetting...\n");
    }
    if (method == HttpMethod.POST && path.equals("/shutdown")) {
      shutdown.run();
      return ok("Shutting down...\n");
    }
    if (method == HttpMethod.DELETE && path.startsWith(PREFIX)) {
      return clear(path.substring(PREFIX.length()));
    }
    if (!path.startsWith(PREFIX)) {
      return HttpErrors.notFound();
    }
    String below = path.substring(PREFIX.length());
    return rules
        .answer(method, below, request.contentUtf8())
        .or(() -> functions.answer(below, ctx.queryParams(), request))
        .orElseGet(HttpErrors::notFound);
  }

  private HttpResponse clear(String rawPath) {
    Optional<RestPath> path = RestPath.parse(rawPath, false);
    path.ifPresent(found -> databases
        .get(DatabaseName.parse(found.database()))
        .database()
        .clear(String.join("/", found.ids()), false));
    return path.isPresent()
        ? HttpResponse.of(HttpStatus.OK, MediaType.JSON_UTF_8, "{}\n")
        : HttpErrors.notFound();
  }

  private static HttpResponse ok(String text) {
    return HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT_UTF_8, text);
  }
}
