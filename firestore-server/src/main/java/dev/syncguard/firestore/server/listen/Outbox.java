package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.ListenResponse;
import dev.syncguard.firestore.server.operation.Messages;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** What a listener is still to be told, in order; of a long answer only what it takes to make it. Not thread-safe. */
final class Outbox {
  private final Queue<Messages<ListenResponse>> answers = new ArrayDeque<>();

  void add(ListenResponse message) {
    addAll(List.of(message));
  }

  void addAll(List<ListenResponse> messages) {
    add(Messages.of(messages));
  }

  void add(Messages<ListenResponse> answer) {
    answers.add(answer);
  }

  boolean isEmpty() {
    Messages<ListenResponse> first = answers.peek();
    while (first != null && !first.hasNext()) {
      answers.remove();
      first = answers.peek();
    }
    return first == null;
  }

  /** Removes and returns the next message, if there is one. */
  @Nullable
  ListenResponse poll() {
    return isEmpty() ? null : answers.element().next();
  }

  void clear() {
    answers.forEach(Messages::close);
    answers.clear();
  }
}
