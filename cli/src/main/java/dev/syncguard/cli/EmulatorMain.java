package dev.syncguard.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Starts the Firestore as the tools of Firebase and of Google Cloud start the official emulator, whose options it takes. */
public final class EmulatorMain {
  private static final Map<String, String> OURS = Map.of(
      "--project_id", "--project",
      "--seed_from_export", "--import",
      "--import-data", "--import",
      "--functions_emulator", "--functions");

  /** What we have not got, do without being asked, or do not tell apart. */
  private static final Set<String> IGNORED = Set.of(
      "--websocket_port",
      "--webchannel_port",
      "--single_project_mode",
      "--single_project_mode_error",
      "--database-edition",
      "--database-mode",
      "--export-name");

  private EmulatorMain() {}

  /** Runs until somebody ends it. */
  public static void main(String[] args) {
    String[] ours = translate(List.of(args)).toArray(String[]::new);
    System.exit(Program.run(Surroundings.ofThisProcess(), ours));
  }

  /** Returns what the official emulator's command line is in ours. */
  static List<String> translate(List<String> official) {
    List<String> ours = new ArrayList<>(List.of("firestore", "--no-console"));
    boolean ignoring = false;
    for (int i = 0; i < official.size(); i++) {
      String word = official.get(i);
      if (word.startsWith("--")) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        ignoring = IGNORED.contains(name);
        if (!ignoring) {
          ours.add(OURS.getOrDefault(name, name) + word.substring(name.length()));
        }
      } else if (!ignoring && !(i == 0 && word.equals("start"))) {
        ours.add(word);
      }
    }
    return ours;
  }
}
