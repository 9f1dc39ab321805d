package dev.syncguard.lock.opentelemetry;

import dev.syncguard.lock.LeaseListener;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockListener;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Spans of locks: {@code Locks.builder(backend).listener(LockSpans.to(openTelemetry)).build()}.
 *
 * <p>There is a span {@code lock wait} for each request and a span {@code lock hold} for each lease, both children of the
 * span in which the caller asked for the key. A lease belongs to no thread, so {@code lock hold} is never the current span.
 * The fence is an attribute, the key only if it was given a name. Thread-safe.
 */
public final class LockSpans implements LockListener {

  static final AttributeKey<String> BACKEND = AttributeKey.stringKey("syncguard.backend");
  static final AttributeKey<String> KEY = AttributeKey.stringKey("syncguard.key");

  private final Tracer tracer;
  private final @Nullable Function<? super LockKey, String> names;

  private LockSpans(Tracer tracer, @Nullable Function<? super LockKey, String> names) {
    this.tracer = tracer;
    this.names = names;
  }

  /** Returns spans without the keys. */
  public static LockSpans to(OpenTelemetry telemetry) {
    return new LockSpans(telemetry.getTracer("dev.syncguard.lock"), null);
  }

  /** Returns spans with the name that the function gives to each key. It leaves the process, so it must not be a secret. */
  public LockSpans nameKeys(Function<? super LockKey, String> names) {
    return new LockSpans(tracer, names);
  }

  @Override
  public LeaseListener requested(LockKey key, String backend) {
    Context parent = Context.current();
    String name = names == null ? null : names.apply(key);
    return new LeaseSpans(what -> begin(what, parent, backend, name));
  }

  private Span begin(String what, Context parent, String backend, @Nullable String name) {
    SpanBuilder span = tracer.spanBuilder(what).setParent(parent).setAttribute(BACKEND, backend);
    return (name == null ? span : span.setAttribute(KEY, name)).startSpan();
  }

  @Override
  public Runnable carry(Runnable work) {
    return Context.current().wrap(work);
  }
}
