package dev.syncguard.sync.local;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.Random;
import dev.syncguard.sync.SharedStore;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.Decisions;
import dev.syncguard.sync.state.DeviceState;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.Owner;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.Ticket;
import dev.syncguard.sync.text.Iso;
import dev.syncguard.sync.text.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The reader's values and the sync meta of this device, always as stored: other tabs write them too.
 *
 * <p>There is one door for every change: {@link #commit}. It refuses work that began before the state changed hands, was
 * reset or was cleared, and it alone decides in which order keys are written, because a crash can fall between any two.
 */
public final class LocalStore {

  private final Site site;
  private final KeyValueStore store;
  private final LatestTurn latestTurn;
  private final Clocks clocks;
  private final Random random;
  private final RecentChanges recent;
  private final DeviceIds deviceIds;
  private final int stamp;
  public final StoredKeys keys;

  // Parsing ten thousand marks for each new one would be slow: what was read last is kept, with the
  // text it was read from.
  private @Nullable String readText;
  private Set<String> readValue = Set.of();
  private @Nullable String prefsText;
  private Map<String, Integer> prefsValue = Map.of();
  private @Nullable String metaText;
  private @Nullable SyncMeta metaValue;

  public LocalStore(
      Site site, KeyValueStore store, SharedStore shared, Clocks clocks, Random random) {
    this.site = site;
    this.store = store;
    this.latestTurn = new LatestTurn(site, shared, clocks);
    this.clocks = clocks;
    this.random = random;
    this.keys = new StoredKeys(site);
    this.recent = new RecentChanges(clocks);
    this.stamp = random.below(DeviceState.STAMPS);
    this.deviceIds = new DeviceIds(store, keys.deviceId, clocks, random);
  }

  public String deviceId() {
    return deviceIds.current();
  }

  /** Takes note that another tab has written something. */
  public void heard() {
    deviceIds.heard();
  }

  /** Returns whether this tab has changed anything so recently that another may not have seen it. */
  public boolean changedRecently() {
    return !recent.isEmpty();
  }

  /** Makes this tab's last changes again as far as another tab has undone them, and returns whether it has. */
  public boolean mend() {
    DeviceState there = state();
    if (latestTurn.isAhead(there.meta())) {
      return false;
    }
    DeviceState mended = recent.madeAgain(there, now());
    if (!RecentChanges.differ(mended, there)) {
      return false;
    }
    DeviceState stamped = mended.stamped(there.meta(), stamp);
    write(there, stamped);
    recent.mended(there.meta(), stamped.meta());
    return true;
  }

  private void change(DeviceState before, DeviceState after) {
    DeviceState stamped = after.stamped(before.meta(), stamp);
    write(before, stamped);
    boolean emptied = stamped.meta().clearing() == SyncMeta.Clearing.EVERYTHING;
    recent.made(before, emptied ? stamped.emptied() : stamped);
  }

  public String now() {
    return Iso.text(clocks.wallMillis());
  }

  public boolean enabled() {
    String value = store.get(keys.enabled);
    return value == null
        || !(value.equals("false") || value.equals("\"false\"") || value.equals("0"));
  }

  public void setEnabled(boolean enabled) {
    store.set(keys.enabled, enabled ? "true" : "false");
  }

  /** Returns a ticket for work of {@code owner} that begins now. */
  public Ticket ticket(Owner owner) {
    return Ticket.of(site, owner, meta());
  }

  /**
   * Makes a change, unless it comes too late: returns whether it was made.
   *
   * @param change from what is stored now, not from what the caller remembers
   */
  public boolean commit(Ticket ticket, UnaryOperator<DeviceState> change) {
    DeviceState before = state();
    if (!ticket.fits(site, before.meta()) || latestTurn.isAhead(before.meta())) {
      return false;
    }
    DeviceState after = change.apply(before);
    if (after.meta().owner().userId() == null && ticket.owner().userId() != null) {
      // The meta was lost under way, and nobody else has claimed the state since.
      after = after.with(after.meta().with(ticket.owner()));
    }
    change(before, after);
    return true;
  }

  /** What became of an arrival. */
  public enum Arrival {
    AT_HOME,
    EMPTIED,
    TOO_LATE
  }

  /** Makes the state that of {@code userId}, emptying it if it was somebody else's. */
  public Arrival arrive(Owner began, String userId) {
    DeviceState before = state();
    SyncMeta meta = before.meta();
    if (!Decisions.sameReader(began, meta.owner()) || latestTurn.isAhead(meta)) {
      return Arrival.TOO_LATE;
    }
    Owner next = meta.owner().then(userId);
    if (next.handovers() == meta.owner().handovers()) {
      change(before, before.with(meta.with(next)));
      return Arrival.AT_HOME;
    }
    // Values first: a crash in between must not leave them to the new user.
    store.remove(keys.backup);
    change(before, before.emptied().with(SyncMeta.fresh(deviceId()).with(next)));
    return Arrival.EMPTIED;
  }

  /** Returns what is stored, after finishing a clearing in which a crash fell. */
  public DeviceState state() {
    SyncMeta meta = meta();
    if (meta.clearing() != SyncMeta.Clearing.NONE) {
      clear(meta);
    }
    return new DeviceState(meta(), read(), loadFrom(), authorPrefs());
  }

  /** Returns an id for a new reset. */
  public String newResetId() {
    return random.uuid().substring(0, 8);
  }

  // Marks of changes come before the values: a mark without a change costs a push, a change without
  // a
  // mark would be lost. Epochs come after them: old values under a new epoch would come back to
  // life.
  // A clearing is announced first, so that whoever comes after a crash can finish it.
  private void write(DeviceState before, DeviceState after) {
    if (after.meta().clearing() == SyncMeta.Clearing.EVERYTHING) {
      setMeta(after.meta());
      tell(before.meta(), after.meta());
      clear(after.meta());
      return;
    }
    SyncMeta marked = marksOf(before.meta(), after.meta());
    setMetaIfNew(before.meta(), marked);
    if (!after.read().equals(before.read())) {
      setRead(after.read());
    }
    if (!after.loadFrom().equals(before.loadFrom())) {
      setText(keys.loadFrom, after.loadFrom());
    }
    if (!after.authorPrefs().equals(before.authorPrefs())) {
      setAuthorPrefs(after.authorPrefs());
    }
    setMetaIfNew(marked, after.meta().with(after.meta().reset().with(SyncMeta.Clearing.NONE)));
    tell(before.meta(), after.meta());
  }

  // After it is stored: told before a crash, it would hold up the other tabs for nothing.
  private void tell(SyncMeta before, SyncMeta after) {
    if (before.owner().handovers() != after.owner().handovers()
        || !before.resetId().equals(after.resetId())) {
      latestTurn.tell(after);
    }
  }

  private static SyncMeta marksOf(SyncMeta before, SyncMeta after) {
    if (!before.owner().equals(after.owner())) {
      return before;
    }
    SyncMeta marked = before;
    for (SyncedField each : SyncedField.values()) {
      SyncMeta.Field field = after.field(each);
      if (field.dirty()) {
        marked = marked.with(
            each,
            new SyncMeta.Field(
                field.updatedAt(), before.field(each).clearEpoch(), true, field.changes()));
      }
    }
    if (!before.changedAuthors().keySet().containsAll(after.changedAuthors().keySet())) {
      Map<String, Integer> changed = new LinkedHashMap<>(before.changedAuthors());
      changed.putAll(after.changedAuthors());
      marked = marked.withChangedAuthors(changed);
    }
    return after.clearing() == SyncMeta.Clearing.READ_MARKS
        ? marked.with(SyncedField.READ, after.field(SyncedField.READ)).with(after.reset())
        : marked;
  }

  private void clear(SyncMeta meta) {
    switch (meta.clearing()) {
      case NONE -> {}
      // Keys that may not travel stay here: hygiene is no reason to delete what a reader has.
      case READ_MARKS -> {
        Set<String> stay = new LinkedHashSet<>(read());
        stay.removeIf(Limits::isReadKey);
        setRead(stay);
      }
      case EVERYTHING -> keys.readerKeys.forEach(store::remove);
    }
    setMeta(meta.with(meta.reset().with(SyncMeta.Clearing.NONE)));
  }

  /** Returns the ids that were read, valid or not. Not to be changed. */
  public Set<String> read() {
    String text = store.get(keys.read);
    if (text == null) {
      return Set.of();
    }
    if (!text.equals(readText)) {
      Set<String> value = new LinkedHashSet<>();
      Map<String, Object> json = Json.parseObject(text);
      if (json != null) {
        for (Map.Entry<String, Object> entry : json.entrySet()) {
          Long mark = Json.whole(entry.getValue());
          if (mark != null && mark == 1) {
            value.add(entry.getKey());
          }
        }
      }
      readText = text;
      readValue = value;
    }
    return readValue;
  }

  private void setRead(Set<String> ids) {
    if (ids.isEmpty()) {
      store.remove(keys.read);
      return;
    }
    StringBuilder out = new StringBuilder(ids.size() * 24 + 2);
    char before = '{';
    for (String id : ids) {
      Json.quote(out.append(before), id);
      out.append(":1");
      before = ',';
    }
    String text = out.append('}').toString();
    store.set(keys.read, text);
    readText = text;
    readValue = ids;
  }

  public String loadFrom() {
    String value = store.get(keys.loadFrom);
    return value == null ? "" : value;
  }

  /** Returns the preferences, whoever they name. Not to be changed. */
  public Map<String, Integer> authorPrefs() {
    String text = store.get(keys.authorPrefs);
    if (text == null) {
      return Map.of();
    }
    if (!text.equals(prefsText)) {
      Map<String, Integer> value = new LinkedHashMap<>();
      Map<String, Object> json = Json.parseObject(text);
      if (json != null) {
        json.forEach((author, v) -> {
          if (v instanceof Json.Num number) {
            switch (number.text()) {
              case "1" -> value.put(author, 1);
              case "0" -> value.put(author, 0);
              case "-1" -> value.put(author, -1);
              default -> {}
            }
          }
        });
      }
      prefsText = text;
      prefsValue = value;
    }
    return prefsValue;
  }

  private void setAuthorPrefs(Map<String, Integer> prefs) {
    if (prefs.isEmpty()) {
      store.remove(keys.authorPrefs);
      return;
    }
    String text = Json.write(prefs);
    store.set(keys.authorPrefs, text);
    prefsText = text;
    prefsValue = prefs;
  }

  private void setText(String key, String value) {
    if (value.isEmpty()) {
      store.remove(key);
    } else {
      store.set(key, value);
    }
  }

  /** Keeps a copy of the reader's state that will be merged away; a later copy takes its place. */
  public void backUp(String state) {
    store.set(keys.backup, state);
  }

  /** Returns that copy, or null if there is none. */
  @Nullable
  public String backup() {
    return store.get(keys.backup);
  }

  /** Returns the stored meta, or a new one that takes nothing for synced when there is none or a broken one. */
  public SyncMeta meta() {
    String text = store.get(keys.meta);
    SyncMeta known = metaValue;
    if (known != null && text != null && text.equals(metaText)) {
      return known;
    }
    SyncMeta stored = text == null ? null : SyncMetaJson.read(text, deviceIds::isOurs, deviceId());
    if (stored == null) {
      stored = recovered(text != null);
      setMeta(stored);
    } else {
      metaText = text;
      metaValue = stored;
    }
    return stored;
  }

  private void setMetaIfNew(SyncMeta before, SyncMeta after) {
    if (!after.equals(before)) {
      setMeta(after);
    }
  }

  private void setMeta(SyncMeta meta) {
    String text = SyncMetaJson.write(meta);
    store.set(keys.meta, text);
    metaText = text;
    metaValue = meta;
  }

  private SyncMeta recovered(boolean wasBroken) {
    DeviceState state =
        new DeviceState(SyncMeta.fresh(deviceId()), read(), loadFrom(), authorPrefs());
    String now = now();
    for (SyncedField field : SyncedField.values()) {
      if (wasBroken || !state.isEmpty(field)) {
        state = state.changed(field, now);
      }
    }
    Map<String, Integer> changed = new LinkedHashMap<>();
    authorPrefs().keySet().forEach(author -> changed.put(author, 1));
    return state.meta().withChangedAuthors(changed);
  }
}
