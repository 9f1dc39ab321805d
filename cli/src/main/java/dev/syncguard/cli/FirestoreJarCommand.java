package dev.syncguard.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Copies the program to a place from which the tools of Firebase start it. */
@Command(
    name = "jar",
    customSynopsis = "syncguard firestore jar DIR",
    description = {
      "Writes DIR/firestore.jar, with what it needs beside it in DIR/lib.",
      "The tools of Firebase start it instead of the official emulator if FIRESTORE_EMULATOR_BINARY_PATH names it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard firestore jar ./emulator",
      "  export FIRESTORE_EMULATOR_BINARY_PATH=$PWD/emulator/firestore.jar",
      "  firebase emulators:exec --only firestore,functions 'npm test'"
    })
final class FirestoreJarCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private FirestoreCommand firestore;

  @Parameters(paramLabel = "DIR", description = "Where to write it; is made if it is missing.")
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Path directory;

  @Override
  public Integer call() {
    Output output = firestore.top().output();
    Path jar = directory.resolve("firestore.jar");
    try {
      List<String> classPath = copyTo(directory.resolve("lib"));
      write(jar, String.join(" ", classPath));
    } catch (IOException e) {
      output.problem("The jar could not be written to " + directory);
      return ExitCode.UNAVAILABLE;
    }
    output.answer(
        new JsonLine().add("ok", true).add("jar", jar.toAbsolutePath().toString()),
        "export FIRESTORE_EMULATOR_BINARY_PATH=" + jar.toAbsolutePath());
    return ExitCode.DONE;
  }

  /** Copies the jars of this program, and returns the class path of one that is beside the directory. */
  private static List<String> copyTo(Path lib) throws IOException {
    Files.createDirectories(lib);
    List<String> classPath = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path entry = Path.of(each);
      if (Files.isRegularFile(entry)) {
        Path copy = lib.resolve(entry.getFileName());
        Files.copy(entry, copy, StandardCopyOption.REPLACE_EXISTING);
        classPath.add("lib/" + copy.getFileName());
      } else if (Files.isDirectory(entry)) {
        classPath.add(entry.toUri().toString()); // not built as a jar, so it stays where it is
      }
    }
    return classPath;
  }

  private static void write(Path jar, String classPath) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, EmulatorMain.class.getName());
    attributes.put(Attributes.Name.CLASS_PATH, classPath);
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).finish(); // there is nothing else in it
    }
  }
}
