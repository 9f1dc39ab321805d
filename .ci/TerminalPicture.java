import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs a script and draws what it printed, line by line at the times at which it did, as an animated
 * picture: {@code java .ci/TerminalPicture.java PICTURE.svg SCRIPT}. Fails if the script fails.
 */
final class TerminalPicture {
  private static final int LINE_HEIGHT = 22;
  private static final double PAUSE_AT_THE_END = 6;

  private record Line(double seconds, String text) {}

  public static void main(String[] args) throws Exception {
    List<Line> lines = new ArrayList<>();
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder("bash", args[1]).redirectErrorStream(true).start();
    try (var out = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String text = out.readLine(); text != null; text = out.readLine()) {
        lines.add(new Line((System.nanoTime() - start) / 1e9, text));
      }
    }
    if (process.waitFor() != 0) {
      lines.forEach(line -> System.err.println(line.text()));
      System.exit(1);
    }
    Files.writeString(Path.of(args[0]), draw(lines));
  }

  private static String draw(List<Line> lines) {
    double first = lines.get(0).seconds();
    double total = lines.get(lines.size() - 1).seconds() - first + PAUSE_AT_THE_END;
    int width =
        110 + 9 * lines.stream().mapToInt(line -> line.text().length()).max().orElse(0);
    int height = 56 + LINE_HEIGHT * lines.size();
    StringBuilder style = new StringBuilder();
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      double at = lines.get(i).seconds() - first;
      double percent = 100 * at / total;
      style
          .append(format(
              "@keyframes l%d{0%%{opacity:%d}%.2f%%,100%%{opacity:1}}", i, i == 0 ? 1 : 0, percent))
          .append(format(".l%d{animation:l%d %.2fs step-end infinite}", i, i, total));
      int y = 58 + LINE_HEIGHT * i;
      body.append(format(
              "<g class=\"l%d\"><text x=\"20\" y=\"%d\" class=\"t\">%5.1f s</text>", i, y, at))
          .append(format(
              "<text x=\"92\" y=\"%d\" class=\"%s\" xml:space=\"preserve\">%s</text></g>%n",
              y, kind(lines.get(i).text()), escape(lines.get(i).text())));
    }
    return format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%s\">%n",
            width, height, width, height, "A recorded terminal")
        + "<!-- Recorded by .ci/record-run; the times are real. -->\n"
        + "<style>text{font:15px ui-monospace,'DejaVu Sans Mono',Menlo,monospace;fill:#dde4e8}.t{fill:#6b7a83;font-size:12px}"
        + ".k{fill:#4fd1c5}.r{fill:#9aa8b0}.w{fill:#f59e0b}" + style
        + "@media (prefers-reduced-motion:reduce){g{animation:none!important}}</style>\n"
        + format("<rect width=\"%d\" height=\"%d\" rx=\"12\" fill=\"#12171a\"/>", width, height)
        + "<circle cx=\"22\" cy=\"20\" r=\"6\" fill=\"#ef4444\"/><circle cx=\"42\" cy=\"20\" r=\"6\" fill=\"#f59e0b\"/>"
        + "<circle cx=\"62\" cy=\"20\" r=\"6\" fill=\"#22c55e\"/>\n" + body + "</svg>\n";
  }

  private static String kind(String text) {
    return text.startsWith("$ ")
        ? "k"
        : text.startsWith("# ") ? "r" : text.contains("stop") ? "w" : "o";
  }

  private static String format(String pattern, Object... arguments) {
    return String.format(Locale.ROOT, pattern, arguments);
  }

  private static String escape(String text) {
    return text.replaceAll("\\e\\[[0-9;]*m", "").replace("&", "&amp;").replace("<", "&lt;");
  }
}
