package dev.syncguard.firestore.server.rest;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.io.IOException;

/** Messages as ProtoJSON. */
public final class Json {
  private static final JsonFormat.Printer PRINTER = JsonFormat.printer();
  private static final JsonFormat.Printer COMPACT = PRINTER.omittingInsignificantWhitespace();
  private static final JsonFormat.Parser PARSER = JsonFormat.parser();

  private Json() {}

  /** Reads a request body into the message; an empty body says nothing. */
  public static <B extends Message.Builder> B parse(String json, B into) {
    if (json.isBlank()) {
      return into;
    }
    JsonGuard.check(json);
    try {
      PARSER.merge(json, into);
    } catch (InvalidProtocolBufferException | IllegalArgumentException | IllegalStateException e) {
      throw FirestoreServerException.invalid("Payload isn't valid for request.");
    }
    return into;
  }

  static String print(Message message) {
    return print(PRINTER, message).append('\n').toString();
  }

  /** Returns the message without line breaks and indentation. */
  public static String printCompact(Message message) {
    return print(COMPACT, message).toString();
  }

  private static StringBuilder print(JsonFormat.Printer printer, Message message) {
    try {
      StringBuilder text = new StringBuilder();
      printer.appendTo(message, text);
      return text;
    } catch (IOException e) {
      throw new IllegalStateException("A message of our own cannot be printed", e);
    }
  }
}
