package dev.syncguard.userscript.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a forum knows: its members, and what they wrote. Thread-safe. */
public final class ForumContent {

  private final Map<String, Member> members = new LinkedHashMap<>();
  private final List<Writing> writings = new ArrayList<>();
  private int changes;

  /** Adds somebody or replaces them. */
  public synchronized ForumContent add(Member member) {
    members.put(member.username(), member);
    return this;
  }

  /** Adds a post or a comment. */
  public synchronized ForumContent add(Writing writing) {
    writings.add(writing);
    return this;
  }

  /** Returns the member of that name. */
  public synchronized Optional<Member> member(String username) {
    return Optional.ofNullable(members.get(username));
  }

  /** Returns everybody. */
  public synchronized List<Member> members() {
    return List.copyOf(members.values());
  }

  /** Returns how often a member has changed their profile. */
  public synchronized int profileChanges() {
    return changes;
  }

  /** Returns everything that was written, newest first: posts or comments. */
  synchronized List<Writing> newestFirst(boolean posts) {
    return writings.stream()
        .filter(writing -> writing.isPost() == posts)
        .sorted(Comparator.comparing(Writing::postedAt).reversed())
        .toList();
  }

  /** Returns all that a member wrote, newest first. */
  synchronized List<Writing> by(String username, boolean posts) {
    return writings.stream()
        .filter(writing -> writing.isPost() == posts && writing.author().equals(username))
        .sorted(Comparator.comparing(Writing::postedAt).reversed())
        .toList();
  }

  synchronized Optional<Writing> post(String id) {
    return writings.stream()
        .filter(writing -> writing.isPost() && writing.id().equals(id))
        .findFirst();
  }

  /** Replaces the overrides of whoever has the id and returns them as they are now. */
  synchronized Optional<Member> changeOverrides(String id, String overrides) {
    Optional<Member> member =
        members.values().stream().filter(each -> each.id().equals(id)).findFirst();
    changes++;
    return member.map(each -> {
      Member changed = each.with(overrides);
      members.put(changed.username(), changed);
      return changed;
    });
  }
}
