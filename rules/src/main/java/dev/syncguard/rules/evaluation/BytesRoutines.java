package dev.syncguard.rules.evaluation;

import com.google.protobuf.ByteString;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.BytesValue;
import dev.syncguard.rules.value.RulesValue.StringValue;
import dev.syncguard.rules.value.ValueType;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** The methods of bytes, and the library {@code hashing}. */
final class BytesRoutines {
  private BytesRoutines() {}

  static Map<String, Routine> methods() {
    return new Routines()
        .one(
            "size",
            BytesValue.class,
            ValueType.BYTES,
            b -> RulesValue.of(b.value().size()))
        .one(
            "toBase64",
            BytesValue.class,
            ValueType.BYTES,
            b -> RulesValue.of(Base64.getEncoder().encodeToString(b.value().toByteArray())))
        .one(
            "toHexString",
            BytesValue.class,
            ValueType.BYTES,
            b -> RulesValue.of(HexFormat.of().formatHex(b.value().toByteArray())))
        .build();
  }

  static Map<String, Routine> hashing() {
    return new Routines()
        .add("crc32", 1, a -> hash(a.get(0), bytes -> checksum(new CRC32(), bytes)))
        .add("crc32c", 1, a -> hash(a.get(0), bytes -> checksum(new CRC32C(), bytes)))
        .add("md5", 1, a -> hash(a.get(0), bytes -> digest("MD5", bytes)))
        .add("sha256", 1, a -> hash(a.get(0), bytes -> digest("SHA-256", bytes)))
        .build();
  }

  private static Outcome hash(RulesValue value, UnaryOperator<byte[]> hash) {
    ByteString bytes;
    if (value instanceof BytesValue given) {
      bytes = given.value();
    } else if (value instanceof StringValue text) {
      bytes = ByteString.copyFromUtf8(text.value());
    } else {
      return Failure.type(value, ValueType.BYTES, ValueType.STRING);
    }
    return new BytesValue(ByteString.copyFrom(hash.apply(bytes.toByteArray())));
  }

  private static byte[] checksum(Checksum checksum, byte[] bytes) {
    checksum.update(bytes, 0, bytes.length);
    return ByteBuffer.allocate(Integer.BYTES).putInt((int) checksum.getValue()).array();
  }

  private static byte[] digest(String algorithm, byte[] bytes) {
    try {
      return MessageDigest.getInstance(algorithm).digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has " + algorithm, e);
    }
  }
}
