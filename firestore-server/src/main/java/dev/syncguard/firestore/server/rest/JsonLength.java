package dev.syncguard.firestore.server.rest;

import com.google.firestore.v1.BatchGetDocumentsResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.Value;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;

/**
 * About how many characters a message takes as JSON, never fewer, found without making them. Their number has little to
 * do with the size of the message: a list of a million booleans is 4 MB, and 60 million characters.
 */
final class JsonLength {
  /** Names, times, punctuation, and what answers wrap around a document. */
  private static final int AROUND_DOCUMENT = 512;
  /** Braces, line breaks, and the name of the type. */
  private static final int AROUND_VALUE = 36;
  /** A list of documents indents them by this much more. */
  private static final int OUTERMOST = 8;
  /** Nothing else that is long has many small parts. */
  private static final int PER_BYTE = 4;

  private JsonLength() {}

  static long of(Message message) {
    if (message instanceof Document document) {
      return of(document);
    }
    if (message instanceof RunQueryResponse found && found.hasDocument()) {
      return of(found.getDocument());
    }
    if (message instanceof BatchGetDocumentsResponse answer && answer.hasFound()) {
      return of(answer.getFound());
    }
    return AROUND_DOCUMENT + (long) PER_BYTE * message.getSerializedSize();
  }

  private static long of(Document document) {
    return AROUND_DOCUMENT
        + escaped(document.getName())
        + ofFields(document.getFieldsMap(), OUTERMOST);
  }

  private static long ofFields(Map<String, Value> fields, int indent) {
    long length = fields.isEmpty() ? 0 : AROUND_VALUE + 2L * indent;
    for (Map.Entry<String, Value> field : fields.entrySet()) {
      length += indent + escaped(field.getKey()) + of(field.getValue(), indent);
    }
    return length;
  }

  private static long of(Value value, int indent) {
    long content = switch (value.getValueTypeCase()) {
      case STRING_VALUE -> escaped(value.getStringValue());
      case REFERENCE_VALUE -> escaped(value.getReferenceValue());
      case BYTES_VALUE -> (value.getBytesValue().size() + 2L) / 3 * 4;
      case GEO_POINT_VALUE -> 2L * AROUND_VALUE + 26 + 3L * indent;
      case ARRAY_VALUE -> indent + ofAll(value.getArrayValue().getValuesList(), indent + 4);
      case MAP_VALUE -> indent + ofFields(value.getMapValue().getFieldsMap(), indent + 6);
      case TIMESTAMP_VALUE -> 34;
      case NULL_VALUE, BOOLEAN_VALUE -> 5;
      default -> 26; // a number
    };
    return AROUND_VALUE + 2L * indent + content;
  }

  private static long ofAll(List<Value> values, int indent) {
    long length = values.isEmpty() ? 0 : AROUND_VALUE + indent;
    for (Value value : values) {
      length += of(value, indent);
    }
    return length;
  }

  /** Counts what the printer may write for each character: a letter, two, or a number of six. */
  private static long escaped(String text) {
    long length = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || "\"\\<>&='\u2028\u2029".indexOf(c) >= 0) {
        length += 5;
      }
    }
    return length;
  }
}
