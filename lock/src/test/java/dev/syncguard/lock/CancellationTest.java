package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CancellationTest {

  private final List<String> heard = new ArrayList<>();

  @Test
  void listenersHearOfItOnce() {
    Cancellation cancellation = Cancellation.create();
    cancellation.onCancel(() -> heard.add("first"));
    cancellation.cancel();
    cancellation.cancel();
    assertThat(heard).containsExactly("first");
    assertThat(cancellation.isCancelled()).isTrue();
  }

  @Test
  void whoComesTooLateHearsOfItAtOnce() {
    Cancellation cancellation = Cancellation.create();
    cancellation.cancel();
    cancellation.onCancel(() -> heard.add("late"));
    assertThat(heard).containsExactly("late");
  }

  @Test
  void oneThatThrowsDoesNotKeepTheOthersFromHearing() {
    Cancellation cancellation = Cancellation.create();
    cancellation.onCancel(() -> {
      throw new IllegalStateException("a listener is broken");
    });
    cancellation.onCancel(() -> heard.add("second"));
    assertThatThrownBy(cancellation::cancel).hasMessage("a listener is broken");
    assertThat(heard).containsExactly("second");
  }

  @Test
  void whoStoppedListeningHearsNothing() {
    Cancellation cancellation = Cancellation.create();
    cancellation.onCancel(() -> heard.add("gone")).close();
    cancellation.cancel();
    assertThat(heard).isEmpty();
  }

  @Test
  void nobodyCancelsNone() {
    assertThatThrownBy(() -> Cancellation.none().cancel())
        .isInstanceOf(IllegalStateException.class);
    Cancellation.none().throwIfCancelled();
    Cancellation.none().onCancel(() -> heard.add("never")).close();
    assertThat(heard).isEmpty();
  }
}
