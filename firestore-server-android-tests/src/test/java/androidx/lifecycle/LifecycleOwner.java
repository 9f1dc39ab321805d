package androidx.lifecycle;

/** What an activity of Android is, for those who listen only while it is visible. */
public interface LifecycleOwner {}
