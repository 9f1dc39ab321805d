package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.operation.Messages;
import dev.syncguard.firestore.server.store.Change;
import dev.syncguard.firestore.server.store.Commit;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.store.Topic;
import dev.syncguard.firestore.server.value.Times;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One target of a listener and what the client knows of it: names and times, so that results need not all fit into memory.
 * Not thread-safe.
 */
final class TargetState implements AutoCloseable {
  private final int id;
  private final WatchedTarget target;
  private final ResumeTokens tokens;
  private final ListenerMemory.Share share;
  /** When each document of the target was last changed. */
  private Map<String, Long> known = new HashMap<>();

  private Messages<ListenResponse> answer = Messages.of(List.of());
  private Set<DocumentName> dependencies = Set.of();
  private Set<Topic> topics;
  private long seenMicros;

  TargetState(int id, WatchedTarget target, ResumeTokens tokens, ListenerMemory.Share share) {
    this.id = id;
    this.target = target;
    this.tokens = tokens;
    this.share = share;
    this.topics = target.topics();
  }

  /** Looks at the target for the first time. Nothing of it is told yet: that is the {@link #answer}. */
  void start(Database database, Optional<ResumePoint> resumed) {
    ResumePoint from = resumed.orElse(null);
    Map<String, Long> before =
        from == null ? null : share.search(() -> past(database, from.micros()));
    boolean namesSuffice =
        from != null && before == null && from.sufficesWithNames() && target.isFilter();
    List<String> news = new ArrayList<>();
    Snapshot seen = share.search(() -> database.read(snapshot -> {
      seenMicros = snapshot.micros();
      dependOn(target.authorize(snapshot));
      target.find(snapshot, document -> {
        learn(document);
        share.require();
        long micros = micros(document);
        // What has left since a time that is no longer known is not told, but among the names that
        // the client is given it will not find it.
        boolean isNews = namesSuffice
            ? micros > Objects.requireNonNull(from).micros().orElseThrow()
            : before == null || !Long.valueOf(micros).equals(before.get(document.getName()));
        if (isNews) {
          news.add(document.getName());
        }
      });
      snapshot.hold();
      return snapshot;
    }));
    answer = Messages.of(
        Stream.concat(
                Stream.concat(
                    beginning(from, before, namesSuffice, seen).stream(),
                    news.stream().map(name -> changed(name, seen))),
                end(from, before, namesSuffice).stream())
            .iterator(),
        seen::close);
  }

  private List<ListenResponse> beginning(
      @Nullable ResumePoint from,
      @Nullable Map<String, Long> before,
      boolean namesSuffice,
      Snapshot seen) {
    List<ListenResponse> messages = new ArrayList<>();
    messages.add(ListenMessages.target(TargetChangeType.ADD, id));
    if (before != null) {
      messages.addAll(removals(before.keySet(), known.keySet(), seen));
    } else if (from != null && !namesSuffice) {
      messages.add(ListenMessages.target(TargetChangeType.RESET, id));
    }
    return messages;
  }

  private List<ListenResponse> end(
      @Nullable ResumePoint from, @Nullable Map<String, Long> before, boolean namesSuffice) {
    List<ListenResponse> messages = new ArrayList<>();
    if (from != null && (before != null || namesSuffice)) {
      messages.add(
          from.wantsNames()
              ? ListenMessages.names(id, known.keySet())
              : ListenMessages.count(id, known.size()));
    } else {
      for (String name : target.expectedNames()) {
        if (!known.containsKey(name)) {
          messages.add(ListenMessages.deleted(name, id, seenMicros));
        }
      }
    }
    messages.add(ListenMessages.current(id, seenMicros, tokens.at(seenMicros)));
    return messages;
  }

  /** Reads a document again when it is its turn to be told. */
  private ListenResponse changed(String name, Snapshot seen) {
    Document document = Objects.requireNonNull(seen.get(DocumentName.parse(name)), "found before");
    return ListenMessages.changed(target.project(document), id);
  }

  /** Returns what to tell first. Whoever does not take all of it must close the target. */
  Messages<ListenResponse> answer() {
    return answer;
  }

  private void learn(Document document) {
    if (known.put(document.getName(), micros(document)) == null) {
      share.add(1);
    }
  }

  private static long micros(Document document) {
    return Times.micros(document.getUpdateTime());
  }

  /** Forgets what the client knows. */
  @Override
  public void close() {
    answer.close();
    share.add(-known.size());
    known = new HashMap<>();
  }

  int id() {
    return id;
  }

  long seenMicros() {
    return seenMicros;
  }

  /** Returns what a commit must be about to concern the target, as far as is known now. */
  Set<Topic> topics() {
    return topics;
  }

  private void dependOn(Set<DocumentName> names) {
    dependencies = names;
    topics = new HashSet<>(target.topics());
    names.forEach(name -> topics.add(new Topic.OneDocument(name.path())));
  }

  /** Refuses the listener if it may no longer see the target. */
  void authorize(Database database) {
    dependOn(database.read(target::authorize));
  }

  /**
   * Returns what to tell about a commit, or nothing if it does not concern the target. Refuses the listener if it may not
   * see that.
   */
  List<ListenResponse> follow(Database database, Commit commit) {
    List<ListenResponse> messages = new ArrayList<>();
    if (commit.micros() <= seenMicros) {
      return messages;
    }
    seenMicros = commit.micros();
    if (commit.changes().stream().anyMatch(change -> dependencies.contains(change.name()))) {
      dependOn(database.read(OptionalLong.of(seenMicros), target::authorize));
    }
    if (target.isIndependent()) {
      commit.changes().forEach(change -> follow(change, messages));
    } else if (target.isTouchedBy(commit)) {
      database.read(
          OptionalLong.of(seenMicros), snapshot -> messages.addAll(differences(snapshot)));
    }
    return messages;
  }

  private void follow(Change change, List<ListenResponse> messages) {
    String name = change.name().toString();
    Document after = change.after();
    if (after != null && target.contains(after)) {
      learn(after);
      messages.add(ListenMessages.changed(target.project(after), id));
    } else if (known.remove(name) != null) {
      share.add(-1);
      messages.add(
          after == null
              ? ListenMessages.deleted(name, id, seenMicros)
              : ListenMessages.removed(name, id, seenMicros));
    }
  }

  private List<ListenResponse> differences(Snapshot snapshot) {
    Map<String, Long> before = known;
    known = new HashMap<>();
    share.add(-before.size());
    List<ListenResponse> changes = new ArrayList<>();
    target.find(snapshot, document -> {
      learn(document);
      if (!Long.valueOf(micros(document)).equals(before.get(document.getName()))) {
        changes.add(ListenMessages.changed(target.project(document), id));
      }
    });
    List<ListenResponse> messages =
        new ArrayList<>(removals(before.keySet(), known.keySet(), snapshot));
    messages.addAll(changes);
    return messages;
  }

  private List<ListenResponse> removals(Set<String> before, Set<String> now, Snapshot snapshot) {
    return before.stream()
        .filter(name -> !now.contains(name))
        .map(name -> snapshot.get(DocumentName.parse(name)) == null
            ? ListenMessages.deleted(name, id, seenMicros)
            : ListenMessages.removed(name, id, seenMicros))
        .toList();
  }

  private @Nullable Map<String, Long> past(Database database, OptionalLong resumeFrom) {
    if (resumeFrom.isEmpty()) {
      return null;
    }
    try {
      Map<String, Long> past = new HashMap<>();
      database.read(resumeFrom, snapshot -> {
        target.find(snapshot, document -> past.put(document.getName(), micros(document)));
        return snapshot.micros();
      });
      return past;
    } catch (FirestoreServerException e) {
      return null; // too long ago, or not a time of this server: the client starts anew
    }
  }
}
