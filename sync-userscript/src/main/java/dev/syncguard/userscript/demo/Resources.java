package dev.syncguard.userscript.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Files beside the classes of the demo. */
final class Resources {

  private Resources() {}

  static String text(String name) {
    try (InputStream in = Objects.requireNonNull(Resources.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
