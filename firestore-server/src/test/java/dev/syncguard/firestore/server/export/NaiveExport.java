package dev.syncguard.firestore.server.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads an export byte by byte, and shares no code with what writes it: it prints what each field of each entity is, as the
 * description of the format has it. Damage makes it throw whatever it likes.
 */
final class NaiveExport {
  private final byte[] bytes;
  private int position;

  private NaiveExport(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the entities of a log by their keys; each field with a text that says all about its value. */
  static Map<String, Map<String, String>> read(Path log) throws IOException {
    Map<String, Map<String, String>> entities = new TreeMap<>();
    for (byte[] record : records(Files.readAllBytes(log))) {
      Map<String, String> fields = new TreeMap<>();
      String key = new NaiveExport(record).entity(fields);
      entities.put(key, fields);
    }
    return entities;
  }

  static List<byte[]> records(byte[] log) {
    List<byte[]> records = new ArrayList<>();
    ByteArrayOutputStream open = new ByteArrayOutputStream();
    int at = 0;
    while (at < log.length) {
      int left = 32_768 - at % 32_768;
      if (left < 7) {
        at += left;
        continue;
      }
      int length = (log[at + 4] & 0xff) + 256 * (log[at + 5] & 0xff);
      int type = log[at + 6];
      open.write(log, at + 7, length);
      long stored = (log[at] & 0xffL)
          | (log[at + 1] & 0xffL) << 8
          | (log[at + 2] & 0xffL) << 16
          | (log[at + 3] & 0xffL) << 24;
      long crc = crc32c(log, at + 6, length + 1);
      long masked = (((crc >>> 15) | (crc << 17)) + 0xa282ead8L) & 0xffffffffL;
      if (stored != masked) {
        throw new IllegalStateException("checksum at " + at);
      }
      at += 7 + length;
      if (type == 1 || type == 4) {
        records.add(open.toByteArray());
        open.reset();
      }
    }
    return records;
  }

  /** Bit by bit, from the definition. */
  private static long crc32c(byte[] data, int start, int length) {
    long crc = 0xffffffffL;
    for (int i = start; i < start + length; i++) {
      crc ^= data[i] & 0xff;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : (crc >>> 1) ^ 0x82f63b78L;
      }
    }
    return crc ^ 0xffffffffL;
  }

  private boolean hasMore() {
    return position < bytes.length;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes[position++];
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private byte[] take() {
    int length = (int) varint();
    position += length;
    return java.util.Arrays.copyOfRange(bytes, position - length, position);
  }

  private double real() {
    long bits = 0;
    for (int i = 0; i < 8; i++) {
      bits |= (bytes[position++] & 0xffL) << (8 * i);
    }
    return Double.longBitsToDouble(bits);
  }

  private String entity(Map<String, String> fields) {
    String key = "";
    while (hasMore()) {
      int tag = (int) varint();
      switch (tag) {
        case 13 << 3 | 2 -> key = new NaiveExport(take()).reference();
        case 14 << 3 | 2, 15 << 3 | 2 -> new NaiveExport(take()).property(fields, tag >> 3);
        case 16 << 3 | 2 -> take();
        default -> throw new IllegalStateException("field " + tag);
      }
    }
    return key;
  }

  private String reference() {
    String app = "";
    String path = "";
    String database = "";
    while (hasMore()) {
      int tag = (int) varint();
      switch (tag) {
        case 13 << 3 | 2 -> app = text(take());
        case 14 << 3 | 2 -> path = new NaiveExport(take()).path();
        case 23 << 3 | 2 -> database = text(take());
        default -> throw new IllegalStateException("field " + tag);
      }
    }
    return app + ":" + database + path;
  }

  private String path() {
    StringBuilder path = new StringBuilder();
    while (hasMore()) {
      int tag = (int) varint();
      switch (tag) {
        case 1 << 3 | 3, 1 << 3 | 4 -> {}
        case 2 << 3 | 2, 4 << 3 | 2 -> path.append('/').append(text(take()));
        case 3 << 3 -> path.append("/#").append(varint());
        default -> throw new IllegalStateException("field " + tag);
      }
    }
    return path.toString();
  }

  private void property(Map<String, String> fields, int field) {
    String name = "";
    String value = "";
    long meaning = 0;
    boolean multiple = false;
    while (hasMore()) {
      int tag = (int) varint();
      switch (tag) {
        case 1 << 3 -> meaning = varint();
        case 3 << 3 | 2 -> name = text(take());
        case 4 << 3 -> multiple = varint() != 0;
        case 5 << 3 | 2 -> value = new NaiveExport(take()).value(meaning);
        default -> throw new IllegalStateException("field " + tag);
      }
    }
    String told = (field == 14 ? "indexed " : "") + (meaning == 24 ? "[]" : value);
    fields.merge(name, multiple ? "[" + told + "]" : told, (a, b) -> a + b);
  }

  private String value(long meaning) {
    StringBuilder told = new StringBuilder();
    while (hasMore()) {
      int tag = (int) varint();
      switch (tag) {
        case 1 << 3 -> told.append(meaning == 7 ? "micros " : "int ").append(varint());
        case 2 << 3 -> told.append("bool ").append(varint());
        case 3 << 3 | 2 -> told.append(bytes(take(), meaning));
        case 4 << 3 | 1 ->
          told.append(meaning == 31 ? "vector double " : "double ").append(real());
        case 5 << 3 | 3 -> told.append("point");
        case 6 << 3 | 1, 7 << 3 | 1 -> told.append(' ').append(real());
        case 12 << 3 | 3 -> told.append("ref");
        case 13 << 3 | 2 -> told.append(' ').append(text(take()));
        case 15 << 3 | 2, 17 << 3 | 2 -> told.append('/').append(text(take()));
        case 16 << 3 -> told.append("/#").append(varint());
        case 23 << 3 | 2 -> told.append(" in ").append(text(take()));
        case 5 << 3 | 4, 12 << 3 | 4, 14 << 3 | 3, 14 << 3 | 4 -> {}
        default -> throw new IllegalStateException("field " + tag);
      }
    }
    return told.isEmpty() ? "null" : told.toString();
  }

  private static String bytes(byte[] content, long meaning) {
    if (meaning == 19) {
      Map<String, String> fields = new TreeMap<>();
      new NaiveExport(content).entity(fields);
      return "map " + fields;
    }
    return meaning == 14
        ? "bytes " + HexFormat.of().formatHex(content)
        : "text '" + text(content) + "'";
  }

  private static String text(byte[] content) {
    return new String(content, StandardCharsets.UTF_8);
  }
}
