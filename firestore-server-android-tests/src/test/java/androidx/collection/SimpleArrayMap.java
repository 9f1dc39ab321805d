package androidx.collection;

import java.util.HashMap;

/** A map of Android's, of which the SDK asks no more than that it is one. */
public class SimpleArrayMap<K, V> extends HashMap<K, V> {}
