package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Fields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Those who are told of commits, by what they want to be told of: a commit looks up who it concerns and visits nobody
 * else, however many there are. Thread-safe.
 */
final class Observers {
  private final Set<Entry> entries = new HashSet<>();
  private final Map<Topic, Set<Entry>> byTopic = new HashMap<>();
  /** For each topic the fields whose values somebody asks for, and how many topics ask. */
  private final Map<Topic, Map<FieldPath, Integer>> fields = new HashMap<>();

  private final class Entry implements Observation {
    private final Consumer<Commit> observer;
    private final boolean user;
    private Set<Topic> topics = Set.of();

    Entry(Consumer<Commit> observer, boolean user) {
      this.observer = observer;
      this.user = user;
    }

    @Override
    public void follow(Set<Topic> wanted) {
      synchronized (Observers.this) {
        if (entries.contains(this)) {
          Set<Topic> next = Set.copyOf(wanted);
          next.forEach(topic -> add(topic, this));
          topics.stream().filter(topic -> !next.contains(topic)).forEach(old -> remove(old, this));
          topics = next;
        }
      }
    }

    @Override
    public void close() {
      synchronized (Observers.this) {
        follow(Set.of());
        entries.remove(this);
      }
    }
  }

  /** @param user whether the observer needs the database for something else, too */
  synchronized Observation add(Consumer<Commit> observer, boolean user) {
    Entry entry = new Entry(observer, user);
    entries.add(entry);
    return entry;
  }

  synchronized boolean isEmpty() {
    return entries.isEmpty();
  }

  synchronized boolean hasUsers() {
    return entries.stream().anyMatch(entry -> entry.user);
  }

  void tell(Commit commit) {
    concernedBy(commit).forEach(entry -> entry.observer.accept(commit));
  }

  private synchronized Set<Entry> concernedBy(Commit commit) {
    if (byTopic.isEmpty()) {
      return Set.of();
    }
    Set<Entry> concerned = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Change change : commit.changes()) {
      topics(change).forEach(topic -> concerned.addAll(byTopic.getOrDefault(topic, Set.of())));
    }
    return concerned;
  }

  private List<Topic> topics(Change change) {
    List<Topic> topics = new ArrayList<>();
    topics.add(new Topic.OneDocument(change.name().path()));
    for (Topic whole : List.of(
        new Topic.Everything(),
        new Topic.OneCollection(change.name().collectionPath()),
        new Topic.Group(change.name().collectionId()))) {
      topics.add(whole);
      for (FieldPath field : fields.getOrDefault(whole, Map.of()).keySet()) {
        addWithValue(whole, field, change.before(), topics);
        addWithValue(whole, field, change.after(), topics);
      }
    }
    return topics;
  }

  private static void addWithValue(
      Topic whole, FieldPath field, @Nullable Document document, List<Topic> topics) {
    Value value = document == null ? null : Fields.get(document.getFieldsMap(), field);
    if (value != null) {
      topics.add(whole.with(field, value));
    }
  }

  private void add(Topic topic, Entry entry) {
    Set<Entry> followers = byTopic.get(topic);
    if (followers == null) {
      followers = new LinkedHashSet<>();
      byTopic.put(topic, followers);
      if (topic instanceof Topic.WithValue some) {
        fields
            .computeIfAbsent(some.of(), of -> new HashMap<>())
            .merge(some.field(), 1, Integer::sum);
      }
    }
    followers.add(entry);
  }

  private void remove(Topic topic, Entry entry) {
    Set<Entry> followers = byTopic.getOrDefault(topic, Set.of());
    if (followers.remove(entry) && followers.isEmpty()) {
      byTopic.remove(topic);
      if (topic instanceof Topic.WithValue some) {
        fields.computeIfPresent(some.of(), (of, counts) -> {
          counts.computeIfPresent(some.field(), (field, count) -> count == 1 ? null : count - 1);
          return counts.isEmpty() ? null : counts;
        });
      }
    }
  }
}
