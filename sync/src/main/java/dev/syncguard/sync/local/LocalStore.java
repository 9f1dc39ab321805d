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
import java.util.EnumSet;
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
  private final StoredValues values;
  public final StoredKeys keys;

  // It is asked for at every step: what was read last is kept, with the text it was read from.
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
    this.values = new StoredValues(store, keys);
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
    if (!meta().deviceId().equals(deviceId())) {
      // Two first tabs have agreed on the other's id; under this one the next tab would not know
      // the meta.
      setMeta(meta());
    }
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
    Set<SyncedField> lost = EnumSet.noneOf(SyncedField.class);
    for (SyncedField field : SyncedField.values()) {
      if (values.isStrange(field, there.meta())) {
        lost.add(field);
      }
    }
    DeviceState mended = recent.madeAgain(there, lost, now());
    if (!RecentChanges.differ(mended, there)) {
      return false;
    }
    DeviceState stamped = mended.stamped(there.meta(), stamp);
    write(there, stamped);
    recent.mended(there.meta(), stamped.meta());
    return true;
  }

  // What is said where a late tab has just put back a clearing would fall to the clearing.
  private void standFirm() {
    if (recent.isPutBack(meta())) {
      mend();
    }
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
    standFirm();
    return Ticket.of(site, owner, meta());
  }

  /**
   * Makes a change, unless it comes too late: returns whether it was made.
   *
   * @param change from what is stored now, not from what the caller remembers
   */
  public boolean commit(Ticket ticket, UnaryOperator<DeviceState> change) {
    standFirm();
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
    SyncMeta from = before.meta();
    SyncMeta to = after.meta();
    if (!after.read().equals(before.read()) || clears(SyncedField.READ, from, to)) {
      values.setRead(after.read(), to.since(SyncedField.READ));
    }
    if (!after.loadFrom().equals(before.loadFrom()) || clears(SyncedField.LOAD_FROM, from, to)) {
      values.setLoadFrom(after.loadFrom(), to.since(SyncedField.LOAD_FROM));
    }
    if (!after.authorPrefs().equals(before.authorPrefs())
        || clears(SyncedField.AUTHOR_PREFS, from, to)) {
      values.setAuthorPrefs(after.authorPrefs(), to.since(SyncedField.AUTHOR_PREFS));
    }
    setMetaIfNew(marked, after.meta().with(after.meta().reset().with(SyncMeta.Clearing.NONE)));
    tell(before.meta(), after.meta());
  }

  private static boolean clears(SyncedField field, SyncMeta from, SyncMeta to) {
    return !from.since(field).equals(to.since(field));
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
                field.updatedAt(),
                before.field(each).clearEpoch(),
                true,
                field.changes(),
                before.field(each).since()));
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
        Set<String> stay = new LinkedHashSet<>(values.read(null));
        stay.removeIf(Limits::isReadKey);
        values.setRead(stay, meta.since(SyncedField.READ));
      }
      case EVERYTHING -> keys.readerKeys.forEach(store::remove);
    }
    setMeta(meta.with(meta.reset().with(SyncMeta.Clearing.NONE)));
  }

  /** Returns the ids that were read, valid or not. Not to be changed. */
  public Set<String> read() {
    return values.read(meta().since(SyncedField.READ));
  }

  public String loadFrom() {
    return values.loadFrom(meta().since(SyncedField.LOAD_FROM));
  }

  /** Returns the preferences, whoever they name. Not to be changed. */
  public Map<String, Integer> authorPrefs() {
    return values.authorPrefs(meta().since(SyncedField.AUTHOR_PREFS));
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

  private void setMeta(SyncMeta next) {
    SyncMeta meta = next.on(deviceId());
    String text = SyncMetaJson.write(meta);
    store.set(keys.meta, text);
    metaText = text;
    metaValue = meta;
  }

  private SyncMeta recovered(boolean wasBroken) {
    SyncMeta fresh = SyncMeta.fresh(deviceId());
    DeviceState state =
        new DeviceState(fresh, values.read(null), values.loadFrom(null), values.authorPrefs(null));
    if (wasBroken) {
      // What nobody knows any more these came after.
      values.setRead(state.read(), fresh.since(SyncedField.READ));
      values.setLoadFrom(state.loadFrom(), fresh.since(SyncedField.LOAD_FROM));
      values.setAuthorPrefs(state.authorPrefs(), fresh.since(SyncedField.AUTHOR_PREFS));
    }
    String now = now();
    for (SyncedField field : SyncedField.values()) {
      if (wasBroken || !state.isEmpty(field)) {
        state = state.changed(field, now);
      }
    }
    Map<String, Integer> changed = new LinkedHashMap<>();
    state.authorPrefs().keySet().forEach(author -> changed.put(author, 1));
    return state.meta().withChangedAuthors(changed);
  }
}
