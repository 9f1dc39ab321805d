package dev.syncguard.firestore.server.export;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.List;

/** The file that lists the outputs with the documents of a kind; names are relative to its directory. */
record KindMetadata(String exportName, long startMicros, long endMicros, List<String> outputs) {
  private static final int EXPORT = 1;
  private static final int OUTPUTS = 2;
  /** A label, which is no part of a path. */
  private static final int LABEL = 1;

  private static final int OUTPUT = 2;

  KindMetadata {
    outputs = List.copyOf(outputs);
  }

  byte[] encode() {
    return WireWriter.message(out -> out.nested(
            EXPORT, inner -> inner.text(1, exportName).number(2, startMicros).number(3, endMicros))
        .nested(OUTPUTS, inner -> {
          inner.text(LABEL, "");
          outputs.forEach(output -> inner.text(OUTPUT, output));
        }));
  }

  static KindMetadata decode(byte[] file) throws InvalidProtocolBufferException {
    WireReader fields = WireReader.of(ByteString.copyFrom(file));
    List<String> outputs = new ArrayList<>();
    for (ByteString each : fields.all(OUTPUTS)) {
      for (ByteString name : WireReader.of(each).all(OUTPUT)) {
        outputs.add(name.toStringUtf8().replace('\\', '/'));
      }
    }
    WireReader export = fields.nested(EXPORT).orElse(WireReader.of(ByteString.EMPTY));
    return new KindMetadata(
        export.text(1).orElse(""),
        export.number(2).orElse(0L),
        export.number(3).orElse(0L),
        outputs);
  }
}
