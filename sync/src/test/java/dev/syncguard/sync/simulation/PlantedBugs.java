package dev.syncguard.sync.simulation;

import java.util.List;

/** Mistakes that are easy to make and hard to see, some of which we have made. */
final class PlantedBugs {

  private PlantedBugs() {}

  static final List<PlantedBug> ALL = List.of(
      new PlantedBug(
          "dirty is cleared when a push is sent, not when it is confirmed",
          "engine/PushRun.java",
          "      session.backend.commit(",
          "      session.local.commit(ticket, state -> state.confirmed(captured, fields, scope));\n"
              + "      session.backend.commit("),
      new PlantedBug(
          "a change made during a push counts as pushed",
          "state/Decisions.java",
          "return capturedChanges == currentChanges;",
          "return true;"),
      new PlantedBug(
          "a preference changed during a push counts as pushed",
          "state/DeviceState.java",
          "entry -> entry.getValue().equals(captured.changedAuthors().get(entry.getKey()))",
          "entry -> captured.changedAuthors().containsKey(entry.getKey())"),
      new PlantedBug(
          "an answer that says nothing counts as success",
          "remote/FirestoreSyncBackend.java",
          "// It says yes, but not to what: perhaps a proxy speaks. Only a new read can tell.\n"
              + "      return new NotStored(SyncFailure.NETWORK);",
          "return new Stored(answer.body());"),
      new PlantedBug(
          "a lost answer counts as success",
          "engine/PushRun.java",
          "      } else {\n        notStored(",
          "      } else if (((FirestoreSyncBackend.NotStored) commit).failure() == SyncFailure.NETWORK) {"
              + " session.local.commit(ticket, state -> state.confirmed(captured, envelope.fields(), scope));"
              + " done.accept(End.PUSHED); } else { notStored("),
      new PlantedBug(
          "who has missed the last clearing still takes part in a merge",
          "state/Decisions.java",
          "return epoch >= effectiveEpoch;",
          "return epoch >= effectiveEpoch - 1;"),
      new PlantedBug(
          "a reset stays in the epoch that it clears",
          "state/Decisions.java",
          "return Limits.next(Math.max(local, remote));",
          "return Math.max(local, remote);"),
      new PlantedBug(
          "a reset looks only at its own device",
          "state/Decisions.java",
          "return Limits.next(Math.max(local, remote));",
          "return Limits.next(local);"),
      new PlantedBug(
          "repeating a reset counts as one more",
          "state/Decisions.java",
          "return Math.max(target, remote);",
          "return Limits.next(Math.max(target, remote));"),
      new PlantedBug(
          "a reset leaves the values on the device",
          "local/LocalStore.java",
          "case EVERYTHING -> keys.readerKeys.forEach(store::remove);",
          "case EVERYTHING -> {}",
          "return values.read(meta().since(SyncedField.READ));",
          "return values.read(null);"),
      new PlantedBug(
          "marks count whatever clearing they were made before",
          "local/StoredValues.java",
          "return since == null || since.equals(readSince) ? readValue : Set.of();",
          "return readValue;"),
      new PlantedBug(
          "what was under way at a reset still takes effect",
          "state/Decisions.java",
          "return startedUnder == now;",
          "return true;"),
      new PlantedBug(
          "the device's marks replace the remote ones",
          "state/Decisions.java",
          "new LinkedHashSet<>(remote)",
          "new LinkedHashSet<>()"),
      new PlantedBug(
          "the later clock wins among preferences",
          "state/Merge.java",
          "return changed && v != there.v()",
          "return now.compareTo(there.updatedAt()) > 0 && v != there.v()"),
      new PlantedBug(
          "all preferences of a device replace the remote ones",
          "state/Decisions.java",
          "return changedAuthors.contains(author);",
          "return true;"),
      new PlantedBug(
          "the device's date to load from always wins",
          "state/Decisions.java",
          "return Iso.micros(local) > Iso.micros(remote) ? local : remote;",
          "return local;"),
      new PlantedBug(
          "a new user inherits the values of the last one",
          "local/LocalStore.java",
          "change(before, before.emptied().with(",
          "change(before, before.with("),
      new PlantedBug(
          "what another tab overwrites stays lost",
          "local/LocalStore.java",
          "    write(there, stamped);\n",
          ""),
      new PlantedBug(
          "a quota on writes is probed with a read",
          "engine/Agenda.java",
          "if (now.cooldown().writesRefused() && push != null) {",
          "if (now.cooldown().writesRefused() && push != null && push.delay() < 0) {"),
      new PlantedBug(
          "a tab goes on syncing after another user has logged in",
          "state/Decisions.java",
          "return began.mayWriteTo(stored);",
          "return true;"),
      new PlantedBug(
          "a tab that was opened for one reader writes for the next",
          "local/LocalStore.java",
          "if (!ticket.fits(site, before.meta()) || latestTurn.isAhead(before.meta())) {",
          "if (ticket.owner().userId() == null) {"),
      new PlantedBug(
          "a late replay of one reset turns back the next",
          "state/Decisions.java",
          "return Math.max(known, heard);",
          "return heard;",
          "return id.equals(stored.resetId()) && pending == (stored.pendingReset() != null);",
          "return true;"),
      new PlantedBug(
          "a reset overwrites what a newer version wrote",
          "engine/ResetRun.java",
          "if (known instanceof RemoteDocument.Unusable unusable && unusable.newer()) {",
          "if (known instanceof RemoteDocument.Unusable unusable && unusable.token().isEmpty()) {"),
      new PlantedBug(
          "a document that somebody finds too large loses its marks",
          "engine/PushRun.java",
          "> Limits.LARGEST_DOCUMENT;",
          "> 900;"),
      new PlantedBug(
          "both forums share a node",
          "state/SyncNode.java",
          "\"pr-sync-v1|\" + site.id() + \"|\"",
          "\"pr-sync-v1|lw|\""),
      new PlantedBug(
          "whoever comes second overwrites blindly",
          "remote/CommitBody.java",
          "Map.of(\"exists\", false) : Map.of(\"updateTime\", token)",
          "Map.of(\"exists\", false) : Map.of(\"exists\", true)",
          "Boolean.FALSE.equals(condition.get(\"exists\"))",
          "condition.get(\"exists\") != null"),
      new PlantedBug(
          "a lost race is answered without reading again",
          "engine/PushRun.java",
          "    session.saw(null);\n",
          ""),
      new PlantedBug(
          "tokens are cut to milliseconds",
          "remote/FirestoreSyncBackend.java",
          "    return new Stored(token);",
          "    return new Stored(stored == Iso.NONE ? token : Iso.text(stored + 1));"),
      new PlantedBug(
          "more marks than the cap get into a merge",
          "state/Caps.java",
          "fields.read().value().size() > readCap",
          "fields.read().value().size() > readCap + 1"),
      new PlantedBug(
          "preferences that were dropped come back as new and push out others",
          "state/Merge.java",
          "changed ? now : LONG_AGO, changed ? writerId : SOMEBODY",
          "now, writerId"),
      new PlantedBug(
          "a reset does not wait for a push that is under way",
          "remote/FirestoreSyncBackend.java",
          "Runnable next = committing ? null : waitingCommits.poll();",
          "Runnable next = waitingCommits.poll();"),
      new PlantedBug(
          "pushes follow each other at once",
          "engine/Agenda.java",
          "settings.writeFloorMillis - now.pace().pushAge()",
          "0"),
      new PlantedBug(
          "read marks are pushed as often as anything else",
          "engine/Agenda.java",
          "Math.max(wait, settings.readOnlyWindowMillis - now.pace().readOnlyPushAge())",
          "wait"),
      new PlantedBug(
          "requests go on while the quota is used up",
          "engine/Agenda.java",
          "    if (now.cooldown().limited()) {",
          "    if (now.cooldown().limited() && now.cooldown().timeLeft() == 0) {"),
      new PlantedBug(
          "nobody counts the pushes of the day", "remote/Quota.java", "before.today() + 1,", "0,"),
      new PlantedBug(
          "the log names the user",
          "engine/Identification.java",
          "\"Another user is reading; this device's state was emptied for them\"",
          "\"Now reading: \" + userId"),
      new PlantedBug(
          "nobody brings back what expired with its document",
          "engine/PullRun.java",
          "remote == null ? !before.isEmpty(field) : ",
          "remote != null && "),
      new PlantedBug(
          "whoever cannot read its own meta begins with nothing",
          "local/LocalStore.java",
          "    String now = now();\n    for (SyncedField field : SyncedField.values()) {",
          "    if (wasBroken) { keys.readerKeys.forEach(store::remove); state = state.emptied(); }"
              + " String now = now(); for (SyncedField field : SyncedField.values()) {"),
      new PlantedBug(
          "a document with a member that nobody knows is merged and overwritten",
          "remote/EnvelopeDecoder.java",
          "    require(TOP.containsAll(fields.keySet()), \"an unknown member\");\n",
          ""),
      new PlantedBug(
          "a mark counts whatever its value",
          "remote/EnvelopeDecoder.java",
          "if (mark != null && mark == 1 && Limits.isReadKey(entry.getKey()))",
          "if (Limits.isReadKey(entry.getKey()))"),
      new PlantedBug(
          "the label says OK while nothing gets through",
          "engine/StatusBoard.java",
          "if (failed(SyncFailure.NETWORK) || failed(SyncFailure.REFUSED)) {",
          "if (session.lastSuccess < 0) {"),
      new PlantedBug(
          "each tab keeps its distance from its own pushes only",
          "engine/Surroundings.java",
          "return Math.min(Math.min(tempo.sincePush(), shared), age(session.quota.lastPushAt()));",
          "return tempo.sincePush();"),
      new PlantedBug(
          "a proxy that finds a document too large gets its marks deleted",
          "engine/PushRun.java",
          "    boolean wrongClock = Math.abs(session.clock.nowMillis() - writtenAt) > SKEW;",
          "    SyncedFields gone = failure == SyncFailure.TOO_LARGE ? merge.take(ticket, null, scope) : null;"
              + " if (gone != null) { merge.clearRead(session.ticket(), gone); }"
              + " boolean wrongClock = Math.abs(session.clock.nowMillis() - writtenAt) > SKEW;"),
      new PlantedBug(
          "pushes are counted on the days of the device's own clock",
          "remote/Quota.java",
          "String today = Iso.day(clock.nowMillis());",
          "String today = Iso.day(clocks.wallMillis());",
          "if (order > 0 && clock.isAnchored()) {",
          "if (order > 0 && clocks.wallMillis() < 0) {"));
}
