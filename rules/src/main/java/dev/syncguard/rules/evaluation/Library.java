package dev.syncguard.rules.evaluation;

import dev.syncguard.rules.value.ValueType;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All functions and methods that the language has by itself. Thread-safe. */
public final class Library {
  /** The functions that look into the database. */
  public static final Set<String> LOOKUPS = Set.of("get", "getAfter", "exists", "existsAfter");

  /** The variables that every condition has. */
  public static final Set<String> VARIABLES = Set.of("request", "resource");

  private final Map<String, Routine> functions = Conversions.functions();
  private final Map<String, Map<String, Routine>> libraries = Map.of(
      "math", NumberRoutines.math(),
      "hashing", BytesRoutines.hashing(),
      "duration", TimeRoutines.durationLibrary(),
      "timestamp", TimeRoutines.timestampLibrary(),
      "latlng", PlaceRoutines.latLngLibrary());
  private final Map<ValueType, Map<String, Routine>> methods = new EnumMap<>(ValueType.class);

  /** Creates the functions and methods that Firestore's rules have. Patterns that they compile are kept. */
  public Library() {
    methods.put(ValueType.STRING, TextRoutines.methods(new Patterns()));
    methods.put(ValueType.LIST, CollectionRoutines.listMethods());
    methods.put(ValueType.SET, CollectionRoutines.setMethods());
    methods.put(ValueType.MAP, MapRoutines.mapMethods());
    methods.put(ValueType.MAP_DIFF, MapRoutines.diffMethods());
    methods.put(ValueType.TIMESTAMP, TimeRoutines.timestampMethods());
    methods.put(ValueType.DURATION, TimeRoutines.durationMethods());
    methods.put(ValueType.BYTES, BytesRoutines.methods());
    methods.put(ValueType.LATLNG, PlaceRoutines.latLngMethods());
    methods.put(ValueType.PATH, PlaceRoutines.pathMethods());
  }

  /** Returns whether a name stands for a group of functions, such as {@code math}. */
  public boolean isLibrary(String name) {
    return libraries.containsKey(name);
  }

  /** Returns whether a name stands for a function of no group, such as {@code get}. */
  public boolean isFunction(String name) {
    return functions.containsKey(name) || LOOKUPS.contains(name);
  }

  /** Returns whether a group has a function of this name. */
  public boolean hasFunction(String library, String name) {
    return libraries.getOrDefault(library, Map.of()).containsKey(name);
  }

  /** Returns the names of all methods of all types. */
  public Set<String> methodNames() {
    Set<String> names = new TreeSet<>();
    methods.values().forEach(ofType -> names.addAll(ofType.keySet()));
    return names;
  }

  @Nullable
  Routine function(String name) {
    return functions.get(name);
  }

  @Nullable
  Routine function(String library, String name) {
    return libraries.getOrDefault(library, Map.of()).get(name);
  }

  @Nullable
  Routine method(ValueType type, String name) {
    return methods.getOrDefault(type, Map.of()).get(name);
  }
}
