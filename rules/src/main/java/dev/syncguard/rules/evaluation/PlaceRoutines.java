package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.FloatValue;
import dev.syncguard.rules.value.RulesValue.IntValue;
import dev.syncguard.rules.value.RulesValue.LatLngValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Where things are: places on earth, and paths in the database. */
final class PlaceRoutines {
  private static final double EARTH_RADIUS_METRES = 6_371_000;

  private PlaceRoutines() {}

  static Map<String, Routine> latLngMethods() {
    return new Routines()
        .one("latitude", LatLngValue.class, ValueType.LATLNG, p -> RulesValue.of(p.latitude()))
        .one("longitude", LatLngValue.class, ValueType.LATLNG, p -> RulesValue.of(p.longitude()))
        .two("distance", LatLngValue.class, ValueType.LATLNG, PlaceRoutines::distance)
        .build();
  }

  static Map<String, Routine> latLngLibrary() {
    return new Routines().add("value", 2, PlaceRoutines::latLng).build();
  }

  static Map<String, Routine> pathMethods() {
    return new Routines().add("bind", 2, PlaceRoutines::bind).build();
  }

  private static Outcome latLng(List<RulesValue> arguments) {
    double[] degrees = new double[2];
    for (int i = 0; i < 2; i++) {
      if (arguments.get(i) instanceof IntValue whole) {
        degrees[i] = whole.value();
      } else if (arguments.get(i) instanceof FloatValue real) {
        degrees[i] = real.value();
      } else {
        return Failure.type(arguments.get(i), ValueType.INT, ValueType.FLOAT);
      }
    }
    return Math.abs(degrees[0]) <= 90 && Math.abs(degrees[1]) <= 180
        ? new LatLngValue(degrees[0], degrees[1])
        : Failure.because("Latitude is -90 to 90, longitude -180 to 180.");
  }

  /** The haversine formula, which is exact for a sphere. */
  private static Outcome distance(LatLngValue from, LatLngValue to) {
    double north = Math.sin(Math.toRadians(to.latitude() - from.latitude()) / 2);
    double east = Math.sin(Math.toRadians(to.longitude() - from.longitude()) / 2);
    double square = north * north
        + Math.cos(Math.toRadians(from.latitude()))
            * Math.cos(Math.toRadians(to.latitude()))
            * east
            * east;
    return RulesValue.of(2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(square))));
  }

  /** Fills in the segments that are written as <code>{name}</code> or {@code $(name)}. */
  private static Outcome bind(List<RulesValue> arguments) {
    if (!(arguments.get(1) instanceof MapValue names)) {
      return Failure.type(arguments.get(1), ValueType.MAP);
    }
    List<String> bound = new ArrayList<>();
    for (String segment : ((PathValue) arguments.get(0)).segments()) {
      boolean open = (segment.startsWith("{") && segment.endsWith("}"))
          || (segment.startsWith("$(") && segment.endsWith(")"));
      String name =
          open ? segment.substring(segment.startsWith("{") ? 1 : 2, segment.length() - 1) : segment;
      RulesValue value = open ? names.entries().get(name) : RulesValue.of(segment);
      if (value == null) {
        return Failure.undefined(name);
      }
      if (!(value instanceof StringValue text)) {
        return Failure.type(value, ValueType.STRING);
      }
      bound.add(text.value());
    }
    return new PathValue(bound);
  }
}
