package dev.syncguard.lock.opentelemetry;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LeaseListener;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Loss;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;

/** The spans of one request and its lease. Thread-safe. */
final class LeaseSpans implements LeaseListener {

  private static final AttributeKey<Long> FENCE = AttributeKey.longKey("syncguard.fence");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("syncguard.outcome");
  private static final AttributeKey<Boolean> HANDED_OFF =
      AttributeKey.booleanKey("syncguard.handed_off");
  private static final AttributeKey<String> END = AttributeKey.stringKey("syncguard.end");

  private final Function<String, Span> begin;
  private final Span wait;
  private volatile Span hold = Span.getInvalid();

  LeaseSpans(Function<String, Span> begin) {
    this.begin = begin;
    this.wait = begin.apply("lock wait");
  }

  @Override
  public void granted(Fence fence, Duration waited, boolean handedOff) {
    hold = begin.apply("lock hold").setAttribute(FENCE, fence.value());
    wait.setAttribute(FENCE, fence.value()).setAttribute(HANDED_OFF, handedOff);
    endWait("granted");
  }

  @Override
  public void busy(Duration waited) {
    endWait("busy");
  }

  @Override
  public void failed(LockException.Code code, Duration waited) {
    wait.setStatus(StatusCode.ERROR, word(code));
    endWait("failed");
  }

  private void endWait(String outcome) {
    wait.setAttribute(OUTCOME, outcome).end();
  }

  @Override
  public void renewed(Renewal renewal) {
    if (renewal != Renewal.IN_TIME) {
      hold.addEvent("renewal " + word(renewal));
    }
  }

  @Override
  public void released(Duration held) {
    hold.setAttribute(END, "released").end();
  }

  @Override
  public void lost(Loss reason, Duration held) {
    hold.setAttribute(END, word(reason));
    if (reason != Loss.CLOSED) {
      hold.setStatus(StatusCode.ERROR, "The lease was lost: " + word(reason));
    }
    hold.end();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
