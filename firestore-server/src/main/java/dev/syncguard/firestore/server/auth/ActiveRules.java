package dev.syncguard.firestore.server.auth;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.rules.Rules;
import dev.syncguard.rules.report.Coverage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The rules that hold now: for some projects their own, else for some databases, whatever their project, else perhaps common
 * ones. Thread-safe.
 */
public final class ActiveRules {
  private static final int MAX_PROJECTS = 1000;

  /** Rules, and what their expressions have come to since they hold. */
  public record Loaded(Rules rules, Coverage coverage) {
    static Loaded of(Rules rules) {
      return new Loaded(rules, new Coverage(rules.source()));
    }
  }

  private final Map<String, Loaded> byProject = new ConcurrentHashMap<>();
  private final Map<String, Loaded> byDatabase = new ConcurrentHashMap<>();
  private final List<Runnable> observers = new CopyOnWriteArrayList<>();
  private volatile @Nullable Loaded common;

  /** Returns the rules of a project's default database, if it has any. */
  public Optional<Loaded> of(String project) {
    return of(new DatabaseName(project, "(default)"));
  }

  /** Returns the rules of a database, if it has any. */
  public Optional<Loaded> of(DatabaseName database) {
    Loaded own = byProject.get(database.project());
    return Optional.ofNullable(
        own != null ? own : byDatabase.getOrDefault(database.database(), common));
  }

  /** Replaces the rules of the databases of one id, in all projects that have none of their own. */
  public void replaceFor(String databaseId, Rules rules) {
    byDatabase.put(databaseId, Loaded.of(rules));
    observers.forEach(Runnable::run);
  }

  /** Replaces the rules of all projects that have none of their own. */
  public void replace(Rules rules) {
    common = Loaded.of(rules);
    observers.forEach(Runnable::run);
  }

  /** Replaces the rules of one project. */
  public void replace(String project, Rules rules) {
    if (byProject.size() >= MAX_PROJECTS && !byProject.containsKey(project)) {
      throw new FirestoreServerException(
          Code.RESOURCE_EXHAUSTED, "Too many projects have rules of their own.");
    }
    byProject.put(project, Loaded.of(rules));
    observers.forEach(Runnable::run);
  }

  /** Tells an observer whenever other rules hold. */
  public void observe(Runnable observer) {
    observers.add(observer);
  }
}
