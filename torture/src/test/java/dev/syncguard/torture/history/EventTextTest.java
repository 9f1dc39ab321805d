package dev.syncguard.torture.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.syncguard.torture.history.Event.Ending;
import org.junit.jupiter.api.Test;

class EventTextTest {

  private static Story everyKindOfEvent() {
    Story story = new Story();
    story
        .lease(1, 0, 10, 7)
        .promise(11, 20)
        .write(12, true)
        .look(13, 14, -1)
        .release(15, 16, Ending.ENDED)
        .stray(17, 18, "extend", false);
    story.lease(2, 20, 30, 8).abandon(40);
    story.refuse(3, 1, 2, "ServiceUnavailable");
    story.hurt("kill", 2, 50, 60);
    return story;
  }

  @Test
  void everyEventIsReadAsItWasWritten() {
    Story story = everyKindOfEvent();
    for (Class<?> kind : Event.OfWorker.class.getPermittedSubclasses()) {
      assertThat(story.events()).hasAtLeastOneElementOfType(kind);
    }
    assertThat(story.events())
        .allSatisfy(event -> assertThat(EventText.parse(EventText.of(event))).isEqualTo(event));
  }

  @Test
  void halfALineIsRefused() {
    for (Event event : everyKindOfEvent().events()) {
      String line = EventText.of(event);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> EventText.parse(line.substring(0, line.lastIndexOf('\t'))));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> EventText.parse("gran"));
  }
}
