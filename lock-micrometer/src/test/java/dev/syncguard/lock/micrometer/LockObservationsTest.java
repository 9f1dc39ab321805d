package dev.syncguard.lock.micrometer;

import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Observations become spans of OpenTelemetry through Micrometer's own bridge. */
class LockObservationsTest {

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final SdkTracerProvider provider = SdkTracerProvider.builder()
      .addSpanProcessor(SimpleSpanProcessor.create(spans))
      .build();
  private final ObservationRegistry registry = ObservationRegistry.create();
  private final LockObservations observations = LockObservations.to(registry);

  LockObservationsTest() {
    registry
        .observationConfig()
        .observationHandler(new DefaultTracingObservationHandler(
            new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), event -> {})));
  }

  @AfterEach
  void close() {
    provider.close();
  }

  private SpanData span(String name) {
    return spans.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String value(SpanData span, String name) {
    return String.valueOf(span.getAttributes().get(stringKey(name)));
  }

  @Test
  void waitingAndHoldingAreSpansInTheSpanOfWhoeverAsked() {
    try (Locks locks =
        Locks.builder(new MemoryLockBackend()).listener(observations).build()) {
      Observation.start("checkout", registry).observe(() -> locks.lock("cart:7").run(lease -> {}));
    }
    SpanData checkout = span("checkout");
    assertThat(span("lock wait").getParentSpanId()).isEqualTo(checkout.getSpanId());
    assertThat(span("lock hold").getParentSpanId()).isEqualTo(checkout.getSpanId());
    assertThat(value(span("lock wait"), "syncguard.outcome")).isEqualTo("granted");
    assertThat(value(span("lock hold"), "syncguard.fence")).isEqualTo("1");
    assertThat(value(span("lock hold"), "syncguard.end")).isEqualTo("released");
    assertThat(value(span("lock hold"), "syncguard.backend")).isEqualTo("memory");
    assertThat(spans.getFinishedSpanItems().toString()).doesNotContain("cart");
  }

  @Test
  void theSpanOfTheCallerIsTheParentOfAsynchronousRequests() {
    try (Locks locks =
        Locks.builder(new MemoryLockBackend()).listener(observations).build()) {
      Observation.start("checkout", registry)
          .observe(() -> locks.lock("cart:7").runAsync(lease -> {}).join());
    }
    assertThat(span("lock hold").getParentSpanId()).isEqualTo(span("checkout").getSpanId());
  }

  @Test
  void aKeyIsToldOnlyByTheNameThatItWasGiven() {
    LockObservations named = observations.nameKeys(key -> key.value().substring(0, 4));
    try (Locks locks = Locks.builder(new MemoryLockBackend()).listener(named).build()) {
      locks.lock("cart:7").run(lease -> {});
    }
    assertThat(value(span("lock wait"), "syncguard.key")).isEqualTo("cart");
    assertThat(spans.getFinishedSpanItems().toString()).doesNotContain("cart:7");
  }

  @Test
  void whateverHappensEverySpanEnds() {
    BusyDay day = new BusyDay(backend -> backend, observations);
    day.requests();
    day.renewals();
    day.handOff();
    assertThat(spans.getFinishedSpanItems().stream()
            .filter(span -> span.getName().equals("lock wait"))
            .filter(span -> value(span, "syncguard.outcome").equals("granted")))
        .hasSameSizeAs(spans.getFinishedSpanItems().stream()
            .filter(span -> span.getName().equals("lock hold"))
            .toList());
    assertThat(spans.getFinishedSpanItems())
        .filteredOn(span -> span.getName().equals("lock hold"))
        .extracting(span -> value(span, "syncguard.end"))
        .contains("released", "ran-out", "gone", "closed");
    assertThat(spans.getFinishedSpanItems())
        .filteredOn(span -> span.getName().equals("lock wait"))
        .extracting(span -> value(span, "syncguard.outcome"))
        .contains("granted", "busy", "failed");
    assertThat(spans.getFinishedSpanItems())
        .flatExtracting(SpanData::getEvents)
        .extracting(event -> event.getName())
        .contains("renewal.late", "renewal.failed");
  }
}
