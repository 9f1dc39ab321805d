package androidx.collection;

/** A map of Android's, of which the SDK asks no more than that it is one. */
public class ArrayMap<K, V> extends SimpleArrayMap<K, V> {}
