package dev.syncguard.firestore.server.export;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/** Writes the fields of a message for which there is no generated class, groups included. Not thread-safe. */
final class WireWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

  private interface Step {
    void run() throws IOException;
  }

  static byte[] message(Consumer<WireWriter> content) {
    WireWriter writer = new WireWriter();
    content.accept(writer);
    writer.run(writer.out::flush);
    return writer.bytes.toByteArray();
  }

  WireWriter number(int field, long value) {
    return run(() -> out.writeInt64(field, value));
  }

  WireWriter flag(int field, boolean value) {
    return run(() -> out.writeBool(field, value));
  }

  WireWriter real(int field, double value) {
    return run(() -> out.writeFixed64(field, Double.doubleToLongBits(value)));
  }

  WireWriter text(int field, String value) {
    return run(() -> out.writeString(field, value));
  }

  WireWriter bytes(int field, ByteString value) {
    return run(() -> out.writeBytes(field, value));
  }

  WireWriter nested(int field, Consumer<WireWriter> content) {
    byte[] message = message(content);
    return run(() -> out.writeByteArray(field, message));
  }

  WireWriter group(int field, Consumer<WireWriter> content) {
    run(() -> out.writeTag(field, WireFormat.WIRETYPE_START_GROUP));
    content.accept(this);
    return run(() -> out.writeTag(field, WireFormat.WIRETYPE_END_GROUP));
  }

  private WireWriter run(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw new UncheckedIOException("Memory refuses nothing", e);
    }
    return this;
  }
}
