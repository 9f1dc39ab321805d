package dev.syncguard.lock.opentelemetry;

import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseListener;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a trace shows of locks. */
class LockSpansTest {

  private static final Duration TTL = Duration.ofSeconds(9);

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
      .setTracerProvider(SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(spans))
          .build())
      .build();
  private final ManualTime time = ManualTime.stopped();
  private final Locks locks = Locks.builder(new MemoryLockBackend(time))
      .time(time)
      .background(time.background())
      .listener(LockSpans.to(telemetry))
      .build();

  @AfterEach
  void close() {
    telemetry.close();
  }

  private SpanData span(String name) {
    return spans.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private Lease take() {
    return locks.lock("cart:7").ttl(TTL).tryAcquire().orElseThrow();
  }

  @Test
  void waitingAndHoldingAreSpansInTheSpanOfWhoeverAsked() {
    Span checkout = telemetry.getTracer("test").spanBuilder("checkout").startSpan();
    Lease lease;
    try (Scope current = checkout.makeCurrent()) {
      lease = take();
    }
    assertThat(spans.getFinishedSpanItems())
        .extracting(SpanData::getName)
        .containsExactly("lock wait");
    lease.close();
    SpanData wait = span("lock wait");
    SpanData hold = span("lock hold");
    assertThat(wait.getParentSpanId()).isEqualTo(checkout.getSpanContext().getSpanId());
    assertThat(hold.getParentSpanId()).isEqualTo(checkout.getSpanContext().getSpanId());
    assertThat(wait.getAttributes().get(stringKey("syncguard.outcome"))).isEqualTo("granted");
    assertThat(wait.getAttributes().get(booleanKey("syncguard.handed_off"))).isFalse();
    assertThat(hold.getAttributes().get(longKey("syncguard.fence"))).isEqualTo(1);
    assertThat(hold.getAttributes().get(stringKey("syncguard.end"))).isEqualTo("released");
    assertThat(hold.getAttributes().get(stringKey("syncguard.backend"))).isEqualTo("memory");
    assertThat(spans.getFinishedSpanItems().toString()).doesNotContain("cart");
  }

  @Test
  void aLostLeaseIsAnErrorOfItsHold() {
    Lease unused = take();
    time.advance(TTL);
    SpanData hold = span("lock hold");
    assertThat(hold.getAttributes().get(stringKey("syncguard.end"))).isEqualTo("ran-out");
    assertThat(hold.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
  }

  @Test
  void aBusyKeyIsNoErrorButAFailingStoreIs() {
    Lease unused = take();
    assertThat(locks.lock("cart:7").tryAcquire()).isEmpty();
    assertThat(spans.getFinishedSpanItems())
        .extracting(span -> span.getAttributes().get(stringKey("syncguard.outcome")))
        .containsExactly("granted", "busy");
    assertThat(spans.getFinishedSpanItems())
        .extracting(span -> span.getStatus().getStatusCode())
        .containsOnly(StatusCode.UNSET);
    spans.reset();

    LeaseListener listener = LockSpans.to(telemetry).requested(LockKey.of("cart:7"), "memory");
    listener.failed(LockException.Code.SERVICE_UNAVAILABLE, Duration.ZERO);
    assertThat(span("lock wait").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span("lock wait").getStatus().getDescription()).isEqualTo("service-unavailable");
  }

  @Test
  void theSpanOfTheCallerIsTheParentOfAsynchronousRequests() {
    Span checkout = telemetry.getTracer("test").spanBuilder("checkout").startSpan();
    try (Locks real = Locks.builder(new MemoryLockBackend())
            .listener(LockSpans.to(telemetry).nameKeys(key -> key.value().substring(0, 4)))
            .build();
        Scope current = checkout.makeCurrent()) {
      real.lock("cart:7").runAsync(lease -> {}).join();
    }
    assertThat(span("lock hold").getParentSpanId())
        .isEqualTo(checkout.getSpanContext().getSpanId());
    assertThat(span("lock hold").getAttributes().get(stringKey("syncguard.key")))
        .isEqualTo("cart");
  }
}
