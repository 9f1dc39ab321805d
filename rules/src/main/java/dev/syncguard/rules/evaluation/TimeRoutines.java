package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.DurationValue;
import dev.syncguard.rules.value.RulesValue.IntValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.RulesValue.TimestampValue;
import dev.syncguard.rules.value.ValueType;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Timestamps and durations: their methods and the functions that make them. All of it is UTC. */
final class TimeRoutines {
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");
  private static final Duration LONGEST = Duration.ofDays(3_652_500);

  private TimeRoutines() {}

  static Map<String, Routine> timestampMethods() {
    Routines routines = new Routines();
    part(routines, "year", OffsetDateTime::getYear);
    part(routines, "month", OffsetDateTime::getMonthValue);
    part(routines, "day", OffsetDateTime::getDayOfMonth);
    part(routines, "dayOfWeek", time -> time.getDayOfWeek().getValue());
    part(routines, "dayOfYear", OffsetDateTime::getDayOfYear);
    part(routines, "hours", OffsetDateTime::getHour);
    part(routines, "minutes", OffsetDateTime::getMinute);
    part(routines, "seconds", OffsetDateTime::getSecond);
    part(routines, "nanos", OffsetDateTime::getNano);
    part(routines, "toMillis", time -> time.toInstant().toEpochMilli());
    return routines
        .one(
            "date",
            TimestampValue.class,
            ValueType.TIMESTAMP,
            t -> new TimestampValue(t.value().truncatedTo(ChronoUnit.DAYS)))
        .one(
            "time",
            TimestampValue.class,
            ValueType.TIMESTAMP,
            t -> new DurationValue(
                Duration.between(t.value().truncatedTo(ChronoUnit.DAYS), t.value())))
        .build();
  }

  private static void part(Routines routines, String name, ToLongFunction<OffsetDateTime> part) {
    routines.one(
        name,
        TimestampValue.class,
        ValueType.TIMESTAMP,
        t -> RulesValue.of(part.applyAsLong(t.value().atOffset(ZoneOffset.UTC))));
  }

  static Map<String, Routine> durationMethods() {
    return new Routines()
        .one(
            "seconds",
            DurationValue.class,
            ValueType.DURATION,
            d -> RulesValue.of(d.value().toSeconds()))
        .one(
            "nanos",
            DurationValue.class,
            ValueType.DURATION,
            d -> RulesValue.of((long) d.value().toNanosPart()))
        .build();
  }

  static Map<String, Routine> timestampLibrary() {
    return new Routines()
        .add(
            "date",
            3,
            ints(a -> timestamp(
                LocalDate.of(Math.toIntExact(a[0]), Math.toIntExact(a[1]), Math.toIntExact(a[2]))
                    .atStartOfDay()
                    .toInstant(ZoneOffset.UTC))))
        .add("value", 1, ints(a -> timestamp(Instant.ofEpochMilli(a[0]))))
        .build();
  }

  static Map<String, Routine> durationLibrary() {
    return new Routines()
        .one(
            "abs",
            DurationValue.class,
            ValueType.DURATION,
            d -> new DurationValue(d.value().abs()))
        .add(
            "time",
            4,
            ints(a -> duration(
                Duration.ofHours(a[0]).plusMinutes(a[1]).plusSeconds(a[2]).plusNanos(a[3]))))
        .add("value", 2, TimeRoutines::value)
        .build();
  }

  private static Outcome value(List<RulesValue> arguments) {
    if (!(arguments.get(0) instanceof IntValue amount)) {
      return Failure.type(arguments.get(0), ValueType.INT);
    }
    if (!(arguments.get(1) instanceof StringValue unit)) {
      return Failure.type(arguments.get(1), ValueType.STRING);
    }
    long number = amount.value();
    return guarded(() -> switch (unit.value()) {
      case "w" -> duration(Duration.ofDays(Math.multiplyExact(number, 7L)));
      case "d" -> duration(Duration.ofDays(number));
      case "h" -> duration(Duration.ofHours(number));
      case "m" -> duration(Duration.ofMinutes(number));
      case "s" -> duration(Duration.ofSeconds(number));
      case "ms" -> duration(Duration.ofMillis(number));
      case "ns" -> duration(Duration.ofNanos(number));
      default -> Failure.because("The unit of a duration is w, d, h, m, s, ms or ns.");
    });
  }

  /** Returns the timestamp, if it is one that can be stored. */
  static Outcome timestamp(Instant time) {
    return time.isBefore(FIRST) || time.isAfter(LAST)
        ? Failure.because("Timestamp out of range.")
        : new TimestampValue(time);
  }

  /** Returns the duration, unless it is longer than there are timestamps. */
  static Outcome duration(Duration length) {
    return length.abs().compareTo(LONGEST) > 0
        ? Failure.because("Duration out of range.")
        : new DurationValue(length);
  }

  /** A computation that may leave the range of its type. */
  interface Computation {
    Outcome result();
  }

  static Outcome guarded(Computation computation) {
    try {
      return computation.result();
    } catch (ArithmeticException | DateTimeException e) {
      return Failure.because("Out of range.");
    }
  }

  private interface IntBody {
    Outcome apply(long[] arguments);
  }

  private static Routine.Body ints(IntBody body) {
    return arguments -> {
      long[] numbers = new long[arguments.size()];
      for (int i = 0; i < numbers.length; i++) {
        if (!(arguments.get(i) instanceof IntValue number)) {
          return Failure.type(arguments.get(i), ValueType.INT);
        }
        numbers[i] = number.value();
      }
      return guarded(() -> body.apply(numbers));
    };
  }
}
