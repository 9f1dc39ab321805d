package dev.syncguard.firestore.server.webchannel;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Decodes a form as its bytes arrive, so that no more of it is in memory than it says: escaped, a message is three times as
 * long. Not thread-safe.
 */
final class FormDecoder {
  private static final int MAX_KEY = 100;
  /** One more than the longest message, so that one can see that it was longer. */
  private static final int MAX_VALUE = ClientMessages.MAX_LENGTH + 1;

  private static final int NO_ESCAPE = -1;

  private final ChannelForm.Builder form = new ChannelForm.Builder();
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private String key = "";
  private boolean inValue;
  private int escape = NO_ESCAPE;
  private int digits;

  /** Takes more of the form, or refuses what is none. */
  void add(byte[] bytes) {
    for (byte b : bytes) {
      if (digits > 0) {
        addDigit(b);
      } else {
        add(b);
      }
    }
  }

  private void add(byte b) {
    switch (b) {
      case '%' -> {
        digits = 2;
        escape = 0;
      }
      case '&' -> endField();
      case '=' -> {
        if (inValue) {
          append(b);
        } else {
          key = takeText();
          inValue = true;
        }
      }
      default -> append(b == '+' ? ' ' : b);
    }
  }

  private void addDigit(byte b) {
    int digit = Character.digit(b, 16);
    if (digit < 0) {
      throw new IllegalArgumentException(
          "a percent sign is not followed by two hexadecimal digits");
    }
    escape = 16 * escape + digit;
    digits--;
    if (digits == 0) {
      append(escape);
    }
  }

  private void append(int b) {
    if (!inValue && text.size() >= MAX_KEY) {
      throw new IllegalArgumentException("a key is too long");
    }
    if (text.size() < MAX_VALUE) {
      text.write(b);
    }
  }

  private void endField() {
    String last = takeText();
    form.add(inValue ? key : last, inValue ? last : "");
    inValue = false;
  }

  private String takeText() {
    String taken = text.toString(StandardCharsets.UTF_8);
    text.reset();
    return taken;
  }

  /** Returns the form, or refuses half of one. */
  ChannelForm end() {
    if (digits > 0) {
      throw new IllegalArgumentException(
          "a percent sign is not followed by two hexadecimal digits");
    }
    endField();
    return form.build();
  }
}
