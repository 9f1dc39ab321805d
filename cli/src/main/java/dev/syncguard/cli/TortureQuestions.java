package dev.syncguard.cli;

import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.torture.Route;
import dev.syncguard.torture.Settings;
import dev.syncguard.torture.proxy.FaultProxy;
import dev.syncguard.torture.questions.Answer;
import dev.syncguard.torture.questions.Connection;
import dev.syncguard.torture.questions.Interview;
import dev.syncguard.torture.questions.Promises;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Asks the store of a campaign what it must know, through backends like those of the workers. */
final class TortureQuestions implements Supplier<List<Answer>> {

  private static final int AT_A_TIME = 8;
  private static final String FIRESTORE = "firestore";

  private final Syncguard top;
  private final Settings settings;
  private final Route route;
  private final String backend;

  TortureQuestions(Syncguard top, Settings settings, Route route, LockBackend observer) {
    this.top = top;
    this.settings = settings;
    this.route = route;
    this.backend = observer.capabilities().backend();
  }

  @Override
  public List<Answer> get() {
    Interview interview = new Interview(
        () -> top.open(Stores.Purpose.WRITE),
        Promises.of(backend),
        settings.prefix(),
        Time.system());
    List<Answer> answers = new ArrayList<>(interview.ask(AT_A_TIME));
    // Firestore's client learns only from the environment of its process where its emulator is.
    if (route.obstacle().isEmpty() && !backend.equals(FIRESTORE)) {
      try (FaultProxy proxy = route.newProxy()) {
        answers.addAll(
            interview.askOver(new Connection(top.openBy(route.through(proxy.port())), proxy)));
      } catch (IOException e) {
        throw new UncheckedIOException("A proxy before the store cannot be started", e);
      }
    }
    return answers;
  }
}
