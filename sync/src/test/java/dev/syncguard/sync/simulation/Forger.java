package dev.syncguard.sync.simulation;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import dev.syncguard.sync.Site;
import java.util.Random;

/**
 * Somebody else who has the secret, or a newer program: replaces documents by ones that are sound but absurd, hold entries
 * that make no sense, or make no sense as a whole.
 *
 * <p>Some of them our rules would refuse. But rules may be newer than a program, or once have been laxer.
 */
final class Forger {

  private static final int ABSURD = 900_000_000;
  private static final long FAR_AHEAD = 253_402_300_799L;
  private static final long LONG_AGO = -62_135_596_800L;

  private final Scene scene;
  private final Random random;
  private int forgeries;

  Forger(Scene scene, Random random) {
    this.scene = scene;
    this.random = random;
  }

  void forge(Forum.Account account) {
    String path = scene.path(account);
    if (path.isEmpty()) {
      return;
    }
    Contents lost = scene.contents(account);
    Document.Builder document = envelope(account.site(), lost);
    boolean mangled = random.nextInt(3) == 0;
    if (mangled) {
      spoil(document);
    }
    boolean spoilt = mangled || isAbsurd(Contents.of(document.build()));
    Contents forged = scene.cloud.overwrite(path, document, !spoilt);
    scene.world.say(() -> "somebody replaces the document of " + account + " by "
        + (spoilt ? "one that makes no sense" : forged));
    scene.ledger.overwritten(account, lost);
    if (!spoilt) {
      scene.ledger.forged(account, forged);
    }
  }

  /** Returns whether an epoch is one that nobody can have reached. */
  static boolean isAbsurd(Contents contents) {
    return contents.readEpoch() >= ABSURD
        || contents.loadFromEpoch() >= ABSURD
        || contents.authorsEpoch() >= ABSURD;
  }

  private Document.Builder envelope(Site site, Contents before) {
    return Document.newBuilder()
        .putFields("schemaVersion", number(1))
        .putFields("site", text(site.id()))
        .putFields("lastPushedBy", text("somebody"))
        .putFields("lastPushedAt", time())
        .putFields("lastPushedAtMs", number(random.nextBoolean() ? 0 : 253_402_300_799_999L))
        .putFields("expiresAt", time())
        .putFields(
            "fields",
            map(MapValue.newBuilder()
                .putFields("read", read(site, before))
                .putFields("loadFrom", loadFrom(before))
                .putFields("authorPrefs", authors(before))));
  }

  /** A field that is as far as before, far behind, or absurdly far ahead. */
  private MapValue.Builder field(int epoch) {
    int forged = switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> ABSURD + random.nextInt(1_000);
      default -> epoch;
    };
    return MapValue.newBuilder()
        .putFields("updatedAt", time())
        .putFields("updatedBy", text("somebody"))
        .putFields("clearEpoch", number(forged));
  }

  private Value read(Site site, Contents before) {
    MapValue.Builder marks = MapValue.newBuilder();
    before.read().stream().limit(random.nextInt(4)).forEach(id -> marks.putFields(id, number(1)));
    marks.putFields(site.id() + "-forged-" + ++forgeries, number(1));
    if (random.nextBoolean()) {
      marks.putFields(site.id() + "-wrong-" + forgeries, number(2));
      marks.putFields(site.id() + "-odd-" + forgeries, text("1"));
      marks.putFields("not a key", number(1));
    }
    return map(field(before.readEpoch()).putFields("value", map(marks)));
  }

  private Value loadFrom(Contents before) {
    MapValue.Builder field = field(before.loadFromEpoch());
    field.putFields("version", number(random.nextBoolean() ? 0 : ABSURD));
    switch (random.nextInt(4)) {
      case 0 -> field.putFields("value", text("2029-13-45T00:00:00Z"));
      case 1 ->
        field.putFields("value", text("2029-01-0" + (1 + random.nextInt(9)) + "T00:00:00Z"));
      case 2 -> {
        if (!before.loadFrom().isEmpty()) {
          field.putFields("value", text(before.loadFrom()));
        }
      }
      default -> {}
    }
    return map(field);
  }

  private Value authors(Contents before) {
    MapValue.Builder authors = MapValue.newBuilder();
    for (String author : Story.AUTHORS) {
      switch (random.nextInt(6)) {
        case 0 -> authors.putFields(author, opinion(random.nextInt(3) - 1, ABSURD));
        case 1 -> authors.putFields(author, opinion(7, 1));
        case 2 -> authors.putFields(author, number(1));
        default -> {}
      }
    }
    return map(field(before.authorsEpoch()).putFields("value", map(authors)));
  }

  private Value opinion(int v, int version) {
    return map(MapValue.newBuilder()
        .putFields("v", number(v))
        .putFields("version", number(version))
        .putFields("updatedAt", time())
        .putFields("updatedBy", text("somebody")));
  }

  private void spoil(Document.Builder document) {
    switch (random.nextInt(6)) {
      case 0 -> document.putFields("schemaVersion", number(2));
      case 1 ->
        document.putFields("schemaVersion", Value.newBuilder().setDoubleValue(1).build());
      case 2 -> document.putFields("lastPushedBy", text(""));
      case 3 -> document.putFields("site", text("elsewhere"));
      case 4 -> document.putFields("mood", text("fine"));
      default -> document.putFields("expiresAt", text("never"));
    }
  }

  private Value time() {
    long seconds = switch (random.nextInt(3)) {
      case 0 -> LONG_AGO;
      case 1 -> FAR_AHEAD;
      default -> scene.world.trueMillis() / 1000;
    };
    Timestamp time = Timestamps.fromSeconds(seconds);
    return Value.newBuilder().setTimestampValue(time).build();
  }

  private static Value number(long number) {
    return Value.newBuilder().setIntegerValue(number).build();
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  private static Value map(MapValue.Builder map) {
    return Value.newBuilder().setMapValue(map).build();
  }
}
