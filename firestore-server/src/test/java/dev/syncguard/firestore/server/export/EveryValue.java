package dev.syncguard.firestore.server.export;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.Values;
import java.util.LinkedHashMap;
import java.util.Map;

/** Every kind of value, at the ends of its range, with what an export says about it. */
record EveryValue(Value value, String told) {
  private static final long FIRST_MICRO = -62_135_596_800_000_000L;
  private static final long LAST_MICRO = 253_402_300_799_999_999L;

  static Map<String, EveryValue> all() {
    Map<String, EveryValue> all = new LinkedHashMap<>();
    all.put("null", of(Values.nothing(), "null"));
    all.put("true", of(Values.of(true), "bool 1"));
    all.put("false", of(Values.of(false), "bool 0"));
    all.put("zero", of(Values.of(0L), "int 0"));
    all.put("smallest", of(Values.of(Long.MIN_VALUE), "int -9223372036854775808"));
    all.put("largest", of(Values.of(Long.MAX_VALUE), "int 9223372036854775807"));
    all.put("one as a double", of(Values.of(1.0), "double 1.0"));
    all.put("tiny", of(Values.of(Double.MIN_VALUE), "double 4.9E-324"));
    all.put("infinite", of(Values.of(Double.NEGATIVE_INFINITY), "double -Infinity"));
    all.put("nan", of(Values.of(Double.NaN), "double NaN"));
    all.put("no text", of(Values.of(""), "text ''"));
    all.put("text", of(Values.of("żółć \0 😀"), "text 'żółć \0 😀'"));
    all.put("no bytes", of(Values.bytes(), "bytes "));
    all.put("bytes", of(Values.bytes(0, 0xff, 0x80), "bytes 00ff80"));
    all.put("bytes like text", of(Values.bytes('a'), "bytes 61"));
    all.put("first time", of(Values.time(FIRST_MICRO), "micros " + FIRST_MICRO));
    all.put("last time", of(Values.time(LAST_MICRO), "micros " + LAST_MICRO));
    all.put("epoch", of(Values.time(0), "micros 0"));
    all.put("just before", of(Values.time(-1), "micros -1"));
    all.put("pole", of(Values.point(-90, 180), "point -90.0 180.0"));
    all.put("null island", of(Values.point(0, 0), "point 0.0 0.0"));
    all.put(
        "reference",
        of(
            Values.reference("projects/p/databases/(default)/documents/c/a/d/__id-7__"),
            "ref dev~p/c/a/d/#-7"));
    all.put(
        "reference to elsewhere",
        of(Values.reference("projects/q/databases/x/documents/c/007"), "ref dev~q/c/007 in x"));
    all.put("empty array", of(Values.array(), "indexed []"));
    all.put("one element", of(Values.array(Values.of(1L)), "[int 1]"));
    all.put(
        "mixed array",
        of(
            Values.array(
                Values.nothing(),
                Values.time(7),
                Values.bytes(1),
                Values.point(1, 2),
                Values.map(Map.of()),
                Values.of("x")),
            "[null][micros 7][bytes 01][point 1.0 2.0][map {}][text 'x']"));
    all.put("empty map", of(Values.map(Map.of()), "map {}"));
    all.put(
        "map",
        of(
            Values.map(Map.of(
                "a.b `c`",
                Values.map(Map.of("d", Values.array(Values.map(Map.of("e", Values.array()))))))),
            "map {a.b `c`=map {d=[map {e=indexed []}]}}"));
    all.put("vector", of(Values.vector(1.5, -0.0), "[vector double 1.5][vector double -0.0]"));
    all.put(
        "vectors in a map",
        of(
            Values.map(Map.of("v", Values.vector(2), "n", Values.nothing())),
            "map {n=null, v=[vector double 2.0]}"));
    return all;
  }

  private static EveryValue of(Value value, String told) {
    return new EveryValue(value, told);
  }
}
