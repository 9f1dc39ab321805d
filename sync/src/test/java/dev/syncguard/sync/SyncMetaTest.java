package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SyncMetaTest {

  private static final SyncMeta.Field FIELD = new SyncMeta.Field("now", 1, true, 2);
  private static final SyncMeta FRESH = SyncMeta.fresh("device");

  @Test
  void eachCopyDiffersInNothingButWhatItIsFor() throws ReflectiveOperationException {
    for (SyncedField field : SyncedField.values()) {
      assertThat(differences(FRESH.with(field, FIELD))).containsExactly(field.id());
    }
    assertThat(differences(FRESH.withLoadFromVersion(3, "then")))
        .containsExactly("loadFromVersion", "syncedLoadFrom");
    assertThat(differences(FRESH.withChangedAuthors(Map.of("Ann", 1))))
        .containsExactly("changedAuthors");
    assertThat(differences(FRESH.withNode("node"))).containsExactly("lastSyncNode");
    assertThat(differences(FRESH.withUser("user"))).containsExactly("lastUserId");
    assertThat(differences(FRESH.withPendingReset(new SyncMeta.PendingReset("now", 1, 2, 3, true))))
        .containsExactly("pendingReset");
    assertThat(differences(FRESH.withClearing(SyncMeta.Clearing.EVERYTHING)))
        .containsExactly("clearing");
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
      assertThatThrownBy(() -> FRESH.withLoadFromVersion(odd, ""))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new SyncMeta.PendingReset("now", 1, odd, 1, true))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new SyncMeta.Field("now", 0, false, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
