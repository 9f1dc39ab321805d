package dev.syncguard.firestore.server.webchannel;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client sends: headers if it is the first request of a session, and messages by their numbers.
 *
 * @param headers lines of names and values, or nothing
 * @param messages each as JSON
 */
record ChannelForm(String headers, Map<Long, String> messages) {
  private static final int MAX_MESSAGES = 1000;
  private static final long MAX_OFFSET = Long.MAX_VALUE / 2;
  private static final Pattern MESSAGE = Pattern.compile("req([0-9]{1,9})(___data__|_type)");

  /** The fields of a form, one after the other. Not thread-safe. */
  static final class Builder {
    private final Map<Long, String> byIndex = new TreeMap<>();
    private String headers = "";
    private long offset;
    private boolean counted;

    /** Takes a field, or refuses what cannot be one. */
    void add(String key, String value) {
      switch (key) {
        case "headers" -> headers = value;
        case "ofs" -> offset = Long.parseLong(value);
        case "count" -> counted = Long.parseLong(value) <= MAX_MESSAGES;
        default -> addMessage(key, value);
      }
    }

    private void addMessage(String key, String value) {
      Matcher message = MESSAGE.matcher(key);
      if (!message.matches()) {
        return;
      }
      long index = Long.parseLong(message.group(1));
      // One that its client could not write has only a type. Its number is used up all the same.
      boolean isData = message.group(2).equals("___data__");
      byIndex.merge(index, isData ? value : "", (old, added) -> isData ? added : old);
      if (byIndex.size() > MAX_MESSAGES) {
        throw new IllegalArgumentException("too many messages");
      }
    }

    ChannelForm build() {
      if (!counted || offset < 0 || offset > MAX_OFFSET) {
        throw new IllegalArgumentException("the form does not say what is in it");
      }
      Map<Long, String> messages = new TreeMap<>();
      byIndex.forEach((index, data) -> messages.put(offset + index, data));
      return new ChannelForm(headers, messages);
    }
  }
}
