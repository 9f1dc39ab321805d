package dev.syncguard.sync.replay;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what passes between one engine and the world, in order.
 *
 * <p>Each line says how deep it is nested, then {@code >} for what the world does to the engine, {@code <} for what the
 * engine does to the world, or {@code ?} for what it asks, with the answer as the last word.
 */
public final class Recorder {

  /** The answer of a store that does not work. */
  static final String FAILURE = "failure";

  private final @Nullable StringBuilder lines;
  private int depth;
  private boolean over;
  private int handles;

  private Recorder(@Nullable StringBuilder lines) {
    this.lines = lines;
  }

  /** Returns a recorder that starts with the settings of its engine. */
  public static Recorder of(Settings settings) {
    return new Recorder(new StringBuilder(settings.line()));
  }

  /** Returns a recorder that writes nothing. */
  public static Recorder off() {
    return new Recorder(null);
  }

  /** Returns what was recorded so far. */
  public String text() {
    return String.valueOf(lines);
  }

  boolean isOn() {
    return lines != null;
  }

  /** Returns a number for something that will be spoken of later. */
  int handle() {
    return handles++;
  }

  /** The world does something to the engine. */
  void enter(Runnable work, @Nullable Object... words) {
    write('>', words);
    nested(work);
  }

  /** The engine does something to the world. */
  void leave(Runnable work, @Nullable Object... words) {
    write('<', words);
    nested(work);
  }

  /** The engine asks the world. If it does not survive that, nothing is written. */
  <T extends @Nullable Object> T ask(Supplier<T> answer, @Nullable Object... words) {
    T answered;
    try {
      answered = answer.get();
    } catch (IllegalStateException broken) {
      writeAnswered(words, FAILURE);
      throw broken;
    } catch (Error crash) {
      over = true;
      throw crash;
    }
    writeAnswered(words, answered);
    return answered;
  }

  private void nested(Runnable work) {
    depth++;
    try {
      work.run();
    } catch (Error crash) {
      over = true;
      throw crash;
    } finally {
      depth--;
    }
  }

  private void writeAnswered(@Nullable Object[] words, @Nullable Object answer) {
    write('?', words);
    if (lines != null && !over) {
      lines.append('\t').append(Words.join(answer));
    }
  }

  private void write(char kind, @Nullable Object... words) {
    // What a crashed engine leaves behind is not part of the record.
    if (lines != null && !over) {
      lines.append('\n').append(depth).append(kind).append(Words.join(words));
    }
  }
}
