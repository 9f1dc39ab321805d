package dev.syncguard.firestore.server.export;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import java.util.List;
import java.util.Optional;

/** The fields of a message for which there is no generated class. Where a field may be there once, its last value counts. */
record WireReader(UnknownFieldSet fields) {

  static WireReader of(ByteString message) throws InvalidProtocolBufferException {
    return new WireReader(UnknownFieldSet.parseFrom(message));
  }

  boolean has(int field) {
    return fields.hasField(field);
  }

  Optional<Long> number(int field) {
    return last(fields.getField(field).getVarintList());
  }

  Optional<Double> real(int field) {
    return last(fields.getField(field).getFixed64List()).map(Double::longBitsToDouble);
  }

  Optional<ByteString> bytes(int field) {
    return last(all(field));
  }

  Optional<String> text(int field) throws InvalidProtocolBufferException {
    Optional<ByteString> bytes = bytes(field);
    if (bytes.isPresent() && !bytes.get().isValidUtf8()) {
      throw new InvalidProtocolBufferException("A text is not valid UTF-8.");
    }
    return bytes.map(ByteString::toStringUtf8);
  }

  List<ByteString> all(int field) {
    return fields.getField(field).getLengthDelimitedList();
  }

  Optional<WireReader> nested(int field) throws InvalidProtocolBufferException {
    Optional<ByteString> bytes = bytes(field);
    return bytes.isEmpty() ? Optional.empty() : Optional.of(of(bytes.get()));
  }

  List<WireReader> groups(int field) {
    return fields.getField(field).getGroupList().stream().map(WireReader::new).toList();
  }

  private static <T> Optional<T> last(List<T> values) {
    return values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() - 1));
  }
}
