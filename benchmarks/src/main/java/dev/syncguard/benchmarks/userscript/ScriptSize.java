package dev.syncguard.benchmarks.userscript;

import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.userscript.Userscript;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** What a reader downloads when they install the script. */
final class ScriptSize {

  private static final Target TARGET = Target.atMost(150);

  private ScriptSize() {}

  static Section section() throws IOException {
    byte[] script = Userscript.shipped().text().getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(script);
    }
    double kilobytes = script.length / 1e3;
    return new Section(
        "Size",
        "The script with everything in it: the engine, the reader page, its style, and what TeaVM needs of Java.",
        List.of("", "KB", "KB with gzip"),
        List.of(List.of(
            "power-reader.user.js", Numbers.plain(kilobytes), Numbers.plain(zipped.size() / 1e3))),
        List.of(
            new Goal(
                "KB of power-reader.user.js",
                new Quartiles(kilobytes, kilobytes, kilobytes),
                TARGET,
                "what TeaVM makes of the engine alone is about 100 KB; a minifier after it takes 8 % off")),
        List.of());
  }
}
