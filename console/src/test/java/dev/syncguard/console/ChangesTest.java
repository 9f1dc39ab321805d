package dev.syncguard.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.console.Changes.Subscription;
import dev.syncguard.console.Changes.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What open pages are told. */
@Timeout(60)
class ChangesTest {

  private final Changes changes = new Changes();

  @Test
  void aPageFirstHearsWhatItWillBeToldAndThenWhatChanges() throws Exception {
    changes.promise(List.of(Topic.LOCKS, Topic.HISTORY), true);
    Subscription page = changes.subscribe().orElseThrow();
    assertThat(page.next()).hasValue("{\"told\":[\"locks\",\"history\"],\"changed\":[]}");
    changes.tell(List.of(Topic.HISTORY));
    changes.tell(List.of(Topic.LOCKS));
    changes.tell(List.of(Topic.HISTORY));
    assertThat(page.next()).hasValue("{\"changed\":[\"locks\",\"history\"]}");
    assertThat(page.next()).hasValue("{\"changed\":[]}"); // a sign of life
  }

  @Test
  void aPageThatWaitsHearsAtOnce() throws Exception {
    Subscription page = changes.subscribe().orElseThrow();
    page.next();
    CompletableFuture<Optional<String>> line = CompletableFuture.supplyAsync(() -> {
      try {
        return page.next();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    changes.tell(List.of(Topic.DATA));
    assertThat(line.get(30, TimeUnit.SECONDS)).hasValue("{\"changed\":[\"data\"]}");
  }

  @Test
  void whatIsNoLongerToldIsSaidSoThatPagesAsk() throws Exception {
    changes.promise(List.of(Topic.LOCKS, Topic.DATA), true);
    Subscription page = changes.subscribe().orElseThrow();
    page.next();
    changes.promise(List.of(Topic.DATA), false);
    assertThat(page.next()).hasValue("{\"told\":[\"locks\"],\"changed\":[\"data\"]}");
  }

  @Test
  void someConnectionsOfABrowserStayFreeForQuestions() {
    List<Subscription> pages = new ArrayList<>();
    for (Optional<Subscription> page = changes.subscribe();
        page.isPresent();
        page = changes.subscribe()) {
      pages.add(page.get());
    }
    assertThat(pages).hasSizeLessThan(6).hasSizeGreaterThan(1);
    pages.get(0).close();
    assertThat(changes.subscribe()).isPresent();
  }

  @Test
  void closingEndsAllStreamsAndOpensNone() throws Exception {
    Subscription page = changes.subscribe().orElseThrow();
    changes.close();
    assertThat(page.next()).isEmpty();
    assertThat(changes.subscribe()).isEmpty();
    page.close();
    assertThat(changes.awaitPage()).isFalse();
  }
}
