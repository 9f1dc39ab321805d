package dev.syncguard.sync.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.sync.SyncedField;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SyncMetaTest {

  private static final SyncMeta.Field FIELD = new SyncMeta.Field("now", 1, true, 2, 1);
  private static final SyncMeta FRESH = SyncMeta.fresh("device");

  @Test
  void eachCopyDiffersInNothingButWhatItIsFor() throws ReflectiveOperationException {
    for (SyncedField field : SyncedField.values()) {
      SyncMeta copy = FRESH.with(field, FIELD);
      assertThat(differences(copy)).containsExactly("fields");
      for (SyncedField each : SyncedField.values()) {
        assertThat(copy.field(each)).isEqualTo(each == field ? FIELD : SyncMeta.Field.NEW);
      }
    }
    assertThat(differences(FRESH.withDate(3, "then"))).containsExactly("fields");
    assertThat(differences(FRESH.withChangedAuthors(Map.of("Ann", 1))))
        .containsExactly("changedAuthors");
    assertThat(differences(FRESH.on("another"))).containsExactly("deviceId");
    assertThat(differences(FRESH.withNode("node"))).containsExactly("lastSyncNode");
    assertThat(differences(FRESH.with(new Owner("user", 1)))).containsExactly("owner");
    assertThat(differences(FRESH.with(new SyncMeta.Reset("r", null, SyncMeta.Clearing.NONE))))
        .containsExactly("reset");
  }

  private static List<String> differences(SyncMeta copy) throws ReflectiveOperationException {
    List<String> names = new ArrayList<>();
    for (RecordComponent component : SyncMeta.class.getRecordComponents()) {
      if (!Objects.equals(
          component.getAccessor().invoke(FRESH), component.getAccessor().invoke(copy))) {
        names.add(component.getName());
      }
    }
    return names;
  }

  @Test
  void countersBeyondTheirBoundsCannotBeRemembered() {
    for (int odd : new int[] {-1, Limits.HIGHEST_COUNTER + 1}) {
      assertThatThrownBy(() -> FIELD.at(odd, "now")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> FRESH.withDate(odd, ""))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new Epochs(1, odd, 1)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new SyncMeta.Field("now", 0, false, -1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
