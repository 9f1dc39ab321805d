package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.Change;
import dev.syncguard.firestore.server.store.Commit;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.store.Topic;
import dev.syncguard.firestore.server.value.Times;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One target of a listener and what the client knows of it. Not thread-safe. */
final class TargetState {
  private final int id;
  private final WatchedTarget target;
  private final ResumeTokens tokens;
  private Map<String, Document> known = new LinkedHashMap<>();
  private Set<DocumentName> dependencies = Set.of();
  private Set<Topic> topics;
  private long seenMicros;

  TargetState(int id, WatchedTarget target, ResumeTokens tokens) {
    this.id = id;
    this.target = target;
    this.tokens = tokens;
    this.topics = target.topics();
  }

  /** Looks at the target for the first time and returns what to tell. */
  List<ListenResponse> start(Database database, Optional<ResumePoint> resumed) {
    List<ListenResponse> messages = new ArrayList<>();
    messages.add(ListenMessages.target(TargetChangeType.ADD, id));
    ResumePoint from = resumed.orElse(null);
    Map<String, Document> before = from == null ? null : past(database, from.micros());
    Map<String, Document> present = database.read(snapshot -> {
      seenMicros = snapshot.micros();
      dependOn(target.authorize(snapshot));
      return target.find(snapshot);
    });
    if (from != null && before != null) {
      known = before;
      tellDifference(database, present, messages);
      messages.add(filter(from));
    } else if (from != null && from.sufficesWithNames() && target.isFilter()) {
      tellChangesSince(from.micros().orElseThrow(), present, messages);
      messages.add(filter(from));
    } else {
      if (from != null) {
        messages.add(ListenMessages.target(TargetChangeType.RESET, id));
      }
      present
          .values()
          .forEach(document -> messages.add(ListenMessages.changed(target.project(document), id)));
      known = present;
      for (String name : target.expectedNames()) {
        if (!present.containsKey(name)) {
          messages.add(ListenMessages.deleted(name, id, seenMicros));
        }
      }
    }
    messages.add(ListenMessages.current(id, seenMicros, tokens.at(seenMicros)));
    return messages;
  }

  private ListenResponse filter(ResumePoint from) {
    return from.wantsNames()
        ? ListenMessages.names(id, known.keySet())
        : ListenMessages.count(id, known.size());
  }

  /**
   * Tells what has changed since a time that is no longer known: whatever is there and is younger. What has left since is
   * not told, but among the names that the client is given it will not find it.
   */
  private void tellChangesSince(
      long micros, Map<String, Document> present, List<ListenResponse> messages) {
    for (Document document : present.values()) {
      if (Times.micros(document.getUpdateTime()) > micros) {
        messages.add(ListenMessages.changed(target.project(document), id));
      }
    }
    known = present;
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
      tellDifference(database, database.read(OptionalLong.of(seenMicros), target::find), messages);
    }
    return messages;
  }

  private void follow(Change change, List<ListenResponse> messages) {
    String name = change.name().toString();
    Document after = change.after();
    if (after != null && target.contains(after)) {
      known.put(name, after);
      messages.add(ListenMessages.changed(target.project(after), id));
    } else if (known.remove(name) != null) {
      messages.add(
          after == null
              ? ListenMessages.deleted(name, id, seenMicros)
              : ListenMessages.removed(name, id, seenMicros));
    }
  }

  private void tellDifference(
      Database database, Map<String, Document> present, List<ListenResponse> messages) {
    List<String> gone =
        known.keySet().stream().filter(name -> !present.containsKey(name)).toList();
    if (!gone.isEmpty()) {
      database.read(
          OptionalLong.of(seenMicros), snapshot -> messages.addAll(removals(gone, snapshot)));
    }
    present.forEach((name, document) -> {
      Document before = known.get(name);
      if (before == null || !before.equals(document)) {
        messages.add(ListenMessages.changed(target.project(document), id));
      }
    });
    known = present;
  }

  private List<ListenResponse> removals(List<String> gone, Snapshot snapshot) {
    return gone.stream()
        .map(name -> snapshot.get(DocumentName.parse(name)) == null
            ? ListenMessages.deleted(name, id, seenMicros)
            : ListenMessages.removed(name, id, seenMicros))
        .toList();
  }

  private @Nullable Map<String, Document> past(Database database, OptionalLong resumeFrom) {
    if (resumeFrom.isEmpty()) {
      return null;
    }
    try {
      return database.read(resumeFrom, target::find);
    } catch (FirestoreServerException e) {
      return null; // too long ago, or not a time of this server: the client starts anew
    }
  }
}
