package dev.syncguard.torture.questions;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Asks a store, before anybody is hurt, what any caller could ask: each question is a few calls on keys of its own, whose answers
 * {@link LockBackend} prescribes. A campaign sees what goes wrong in a crowd; this sees what is wrong for a single caller.
 *
 * <p>Not thread-safe.
 */
public final class Interview {

  private static final int MOST_TRIES = 3;
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

  private final Supplier<LockBackend> opener;
  private final Promises promises;
  private final String prefix;
  private final Time time;
  private final AtomicInteger asked = new AtomicInteger();

  /**
   * Returns an interview.
   *
   * @param opener opens a backend on the store; what it returns is closed
   * @param promises what the store promises beyond what all do
   * @param prefix what all keys begin with, so that they meet nobody else's
   * @param time where waits and measured times come from
   */
  public Interview(Supplier<LockBackend> opener, Promises promises, String prefix, Time time) {
    this.opener = opener;
    this.promises = promises;
    this.prefix = prefix;
    this.time = time;
  }

  /** Asks all questions, so many at the same time, since most of them wait for a lease to end. */
  public List<Answer> ask(int atATime) {
    return ask(atATime, all());
  }

  private static List<Question> all() {
    return Stream.of(
            FenceQuestions.all(),
            OwnerQuestions.all(),
            LeaseQuestions.all(),
            LineQuestions.all(),
            NoteQuestions.all(),
            KeyQuestions.all(),
            MannerQuestions.all(),
            SecretQuestions.all())
        .flatMap(List::stream)
        .toList();
  }

  List<Answer> ask(int atATime, List<Question> questions) {
    ExecutorService threads = Executors.newFixedThreadPool(atATime, work -> {
      Thread thread = new Thread(work, "torture-question");
      thread.setDaemon(true);
      return thread;
    });
    try (LockBackend backend = opener.get()) {
      List<Future<Answer>> running = new ArrayList<>();
      for (Question question : questions) {
        running.add(threads.submit(() -> ask(question, backend)));
      }
      List<Answer> answers = new ArrayList<>();
      for (Future<Answer> answer : running) {
        answers.add(answer.get());
      }
      return answers;
    } catch (ExecutionException e) {
      throw new IllegalStateException("A question could not be asked", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } finally {
      threads.shutdownNow();
    }
  }

  /** Asks what is told when the store cannot be reached. The network is sound again afterwards. */
  public List<Answer> askOver(Connection connection) {
    List<Question> questions = NetworkQuestions.over(connection);
    List<Answer> answers = new ArrayList<>();
    try (LockBackend backend = opener.get();
        LockBackend disturbed = connection.backend()) {
      for (Question question : questions) {
        answers.add(ask(question, backend));
      }
    }
    return answers;
  }

  private Answer ask(Question question, LockBackend backend) {
    Answer last = Answer.none(question.promise(), "it was not asked");
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      String key = prefix + "question-" + asked.incrementAndGet();
      try (Subject subject = new Subject(backend, opener, promises, key, time)) {
        question.script().ask(subject);
        return Answer.right(question.promise());
      } catch (WrongAnswer e) {
        return Answer.wrong(question.promise(), key, String.valueOf(e.getMessage()));
      } catch (NotDecided e) {
        last = Answer.none(question.promise(), String.valueOf(e.getMessage()));
        if (!e.isWorthAnotherTry()) {
          return last;
        }
      } catch (LockException e) {
        String told = "It was told " + e.code().specName();
        if (!e.isRetryable()) {
          return Answer.wrong(question.promise(), key, told);
        }
        last = Answer.none(question.promise(), told);
      } catch (RuntimeException e) {
        // No backend may throw this.
        return Answer.wrong(question.promise(), key, "It threw " + e.getClass().getSimpleName());
      }
      pause();
    }
    return last;
  }

  private void pause() {
    try {
      boolean unused = time.newSignal().await(BETWEEN_TRIES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
