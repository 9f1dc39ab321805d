package dev.syncguard.firestore.server.export;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.List;

/** The second record of the file at the top of an export: which kinds of documents there are, and where. */
record OverallMetadata(List<Kind> kinds) {
  /** The first record of that file. */
  static final byte VERSION = 0x33;

  private static final int KIND = 1;
  private static final int CONSTANT = 1;
  private static final int PATH = 2;
  private static final int ENTITIES = 3;
  private static final int BYTES = 4;

  /**
   * Some documents with a file that lists where they are.
   *
   * @param path of that file, from the directory of the overall file
   * @param bytes for readers that want it: some count the headers, some do not
   */
  record Kind(String path, long entities, long bytes) {}

  OverallMetadata {
    kinds = List.copyOf(kinds);
  }

  byte[] encode() {
    return WireWriter.message(out -> kinds.forEach(kind -> out.nested(
        KIND,
        inner -> inner
            // Every export has it, and nobody has said what it means.
            .nested(CONSTANT, constant -> constant.number(1, 2).number(3, 3))
            .text(PATH, kind.path())
            .number(ENTITIES, kind.entities())
            .number(BYTES, kind.bytes()))));
  }

  static OverallMetadata decode(byte[] record) throws InvalidProtocolBufferException {
    List<Kind> kinds = new ArrayList<>();
    for (ByteString each : WireReader.of(ByteString.copyFrom(record)).all(KIND)) {
      WireReader kind = WireReader.of(each);
      String path = kind.text(PATH)
          .orElseThrow(() -> new InvalidProtocolBufferException("A kind has no path."));
      kinds.add(new Kind(
          path.replace('\\', '/'), // the emulator on Windows writes those
          kind.number(ENTITIES).orElse(-1L),
          kind.number(BYTES).orElse(0L)));
    }
    return new OverallMetadata(kinds);
  }
}
