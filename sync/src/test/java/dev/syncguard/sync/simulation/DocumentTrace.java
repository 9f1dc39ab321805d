package dev.syncguard.sync.simulation;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Precondition;
import com.google.protobuf.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What was asked of one document and what was answered, in the language of {@code models/sync-trace.pml}, so that the model checker
 * can tell whether the model allows it. Of the contents it tells the read marks and their epoch, as the model does.
 *
 * <p>Few stories are told to the model, so nothing is put into words before somebody asks.
 */
final class DocumentTrace {

  /** A set of marks is a number in the model: those that were seen first have a bit in it. */
  private static final int BITS = 30;

  private final Map<Timestamp, Integer> versions = new HashMap<>();
  private final Map<String, Integer> marks = new HashMap<>();
  private final List<Supplier<String>> steps = new ArrayList<>();
  private int version;
  private Document present = Document.getDefaultInstance();
  private boolean ended;

  void absent() {
    add(() -> "reads(0, 0, 0)");
  }

  void read(Document document) {
    Integer known = versions.get(document.getUpdateTime());
    if (known != null && document.containsFields("fields")) {
      add(() -> "reads(%d, %s)".formatted(known, told(document)));
    }
  }

  void stored(Precondition on, Document document) {
    int number = number(on);
    add(() -> "commits(%d, %s)".formatted(number, told(document)));
    is(document);
  }

  void refused(Precondition on) {
    if (!on.hasUpdateTime() || versions.containsKey(on.getUpdateTime())) {
      int number = number(on);
      add(() -> "conflicts(%d)".formatted(number));
    }
  }

  /** Notes that somebody else put another document in its place, past all rules. */
  void replaced(Document document) {
    add(() -> "replaced(%s)".formatted(told(document)));
    is(document);
  }

  private void is(Document document) {
    if (!ended) {
      versions.put(document.getUpdateTime(), ++version);
      present = document;
    }
  }

  /** Tells nothing more: what happens from now on is beyond the model. */
  void end() {
    ended = true;
  }

  private int number(Precondition on) {
    return on.hasUpdateTime() ? versions.getOrDefault(on.getUpdateTime(), -1) : 0;
  }

  private String told(Document document) {
    Contents contents = Contents.of(document);
    return contents.readEpoch() + ", " + bits(contents);
  }

  private int bits(Contents contents) {
    int bits = 0;
    for (String mark : contents.read()) {
      int bit = marks.computeIfAbsent(mark, unknown -> marks.size());
      if (bit < BITS) {
        bits |= 1 << bit;
      }
    }
    return bits;
  }

  private void add(Supplier<String> step) {
    if (!ended) {
      steps.add(step);
    }
  }

  /** Returns the same trace with one more commit at its end, each of which must not have happened; none if there is too little to spoil. */
  Map<String, String> spoilt() {
    if (version < 2) {
      return Map.of();
    }
    List<String> told = told();
    Contents contents = Contents.of(present);
    int bits = bits(contents);
    int epoch = contents.readEpoch();
    if (Integer.bitCount(bits) < 2 || epoch < 1) {
      return Map.of();
    }
    return Map.of(
        "a-mark-is-forgotten",
        spoilt(told, "commits(%d, %d, %d)".formatted(version, epoch, Integer.highestOneBit(bits))),
        "an-old-version-is-overwritten",
        spoilt(told, "commits(%d, %d, %d)".formatted(version - 1, epoch, bits)),
        "an-epoch-falls",
        spoilt(told, "commits(%d, %d, %d)".formatted(version, epoch - 1, bits)),
        "a-stale-read",
        spoilt(told, "reads(%d, %d, %d)".formatted(version - 1, epoch, bits)));
  }

  private static String spoilt(List<String> told, String last) {
    List<String> longer = new ArrayList<>(told);
    longer.add(last);
    return program(longer);
  }

  /** Returns the trace as a program for the model checker. */
  String promela() {
    return program(told());
  }

  private List<String> told() {
    return steps.stream().map(Supplier::get).toList();
  }

  private static String program(List<String> steps) {
    return "#include \"sync-trace.pml\"\n\ninit {\n  "
        + String.join(";\n  ", steps.isEmpty() ? List.of("skip") : steps) + "\n}\n";
  }
}
