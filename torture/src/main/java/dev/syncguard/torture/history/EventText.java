package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Abandoned;
import dev.syncguard.torture.history.Event.Asked;
import dev.syncguard.torture.history.Event.Ending;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.Looked;
import dev.syncguard.torture.history.Event.Promised;
import dev.syncguard.torture.history.Event.Refused;
import dev.syncguard.torture.history.Event.Released;
import dev.syncguard.torture.history.Event.Releasing;
import dev.syncguard.torture.history.Event.Strayed;
import dev.syncguard.torture.history.Event.Wrote;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Events as lines, in which a worker process tells them. Words are separated by tabs, which no key of ours contains. */
public final class EventText {

  private EventText() {}

  /** Returns the event as one line. */
  public static String of(Event event) {
    String kind = event.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    if (event instanceof Hurt hurt) {
      return line(kind, hurt.fault(), hurt.worker(), hurt.at(), hurt.until());
    }
    Event.OfWorker told = (Event.OfWorker) event;
    String subject = line(kind, told.worker(), told.key(), told.attempt());
    if (event instanceof Asked asked) {
      return line(subject, asked.at(), asked.waits());
    } else if (event instanceof Granted granted) {
      return line(subject, granted.sent(), granted.at(), granted.fence());
    } else if (event instanceof Refused refused) {
      return line(subject, refused.sent(), refused.at(), refused.why());
    } else if (event instanceof Promised promised) {
      return line(subject, promised.at(), promised.until());
    } else if (event instanceof Released released) {
      return line(subject, released.sent(), released.at(), released.ending());
    } else if (event instanceof Strayed strayed) {
      return line(subject, strayed.sent(), strayed.at(), strayed.operation(), strayed.worked());
    } else if (event instanceof Looked looked) {
      return line(subject, looked.sent(), looked.at(), looked.fence());
    } else if (event instanceof Wrote wrote) {
      return line(subject, wrote.at(), wrote.fence(), wrote.accepted());
    }
    return line(subject, event.at());
  }

  private static String line(Object... words) {
    return Stream.of(words).map(String::valueOf).collect(Collectors.joining("\t"));
  }

  /** Returns the event that a line tells, or throws {@link IllegalArgumentException}. */
  public static Event parse(String line) {
    Words words = new Words(line.split("\t", -1));
    String kind = words.next();
    if (kind.equals("hurt")) {
      return new Hurt(words.next(), words.integer(), words.number(), words.number());
    }
    int worker = words.integer();
    String key = words.next();
    long attempt = words.number();
    return switch (kind) {
      case "asked" -> new Asked(worker, key, attempt, words.number(), words.truth());
      case "granted" ->
        new Granted(worker, key, attempt, words.number(), words.number(), words.number());
      case "refused" ->
        new Refused(worker, key, attempt, words.number(), words.number(), words.next());
      case "promised" -> new Promised(worker, key, attempt, words.number(), words.number());
      case "releasing" -> new Releasing(worker, key, attempt, words.number());
      case "released" ->
        new Released(
            worker, key, attempt, words.number(), words.number(), Ending.valueOf(words.next()));
      case "abandoned" -> new Abandoned(worker, key, attempt, words.number());
      case "strayed" ->
        new Strayed(
            worker, key, attempt, words.number(), words.number(), words.next(), words.truth());
      case "looked" ->
        new Looked(worker, key, attempt, words.number(), words.number(), words.number());
      case "wrote" ->
        new Wrote(worker, key, attempt, words.number(), words.number(), words.truth());
      default -> throw new IllegalArgumentException("No event begins with " + kind);
    };
  }

  /** The words of a line, one after the other. */
  private static final class Words {
    private final String[] words;
    private int position;

    Words(String[] words) {
      this.words = words;
    }

    String next() {
      if (position == words.length) {
        throw new IllegalArgumentException("The line of an event ends too early");
      }
      return words[position++];
    }

    long number() {
      return Long.parseLong(next());
    }

    int integer() {
      return Integer.parseInt(next());
    }

    boolean truth() {
      return Boolean.parseBoolean(next());
    }
  }
}
