import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;

/**
 * Refuses a staged release that Maven Central would refuse, or that lacks what we promise beyond that:
 * {@code java .ci/CentralRules.java REPOSITORY VERSION}.
 *
 * <p>Each artefact needs a POM with name, description, address, licence, developers and source
 * control; a jar needs its sources, its Javadoc, a list of ingredients and a module name of ours; each
 * file needs a signature that GnuPG can verify and the checksums that it says. Nothing may depend on a
 * snapshot.
 */
final class CentralRules {
  private static final List<String> POM_ELEMENTS =
      List.of("name", "description", "url", "licenses", "developers", "scm");
  private static final List<String> BESIDE_A_JAR =
      List.of("-sources.jar", "-javadoc.jar", "-cyclonedx.json");

  private final Path repository;
  private final String version;
  private final List<String> complaints = new ArrayList<>();
  private final Set<String> moduleNames = new TreeSet<>();

  private CentralRules(Path repository, String version) {
    this.repository = repository;
    this.version = version;
  }

  public static void main(String[] args) throws Exception {
    var rules = new CentralRules(Path.of(args[0]), args[1]);
    int artefacts = rules.check();
    rules.complaints.forEach(complaint -> System.err.println("release: " + complaint));
    if (artefacts == 0 || !rules.complaints.isEmpty()) {
      System.exit(1);
    }
    System.out.println(
        "Ready for Central: " + artefacts + " artefacts, " + rules.moduleNames.size() + " modules");
  }

  private int check() throws Exception {
    List<Path> poms = files(".pom");
    for (Path pom : poms) {
      checkArtefact(pom);
    }
    for (String ending : List.of(".pom", ".jar", ".json")) {
      for (Path file : files(ending)) {
        checkFile(file);
      }
    }
    return poms.size();
  }

  private List<Path> files(String ending) throws IOException {
    try (Stream<Path> files = Files.walk(repository)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private void checkArtefact(Path pom) throws Exception {
    String stem = pom.getFileName().toString().replace(".pom", "");
    if (!stem.endsWith("-" + version) || Files.readString(pom).contains("-SNAPSHOT")) {
      complaints.add(stem + ": is not " + version + " throughout");
    }
    Element project = parse(pom);
    boolean hasParent = child(project, "parent") != null;
    for (String element : POM_ELEMENTS) {
      boolean inheritable = !element.equals("name") && !element.equals("description");
      if (child(project, element) == null && !(hasParent && inheritable)) {
        complaints.add(stem + ": its POM has no <" + element + ">");
      }
    }
    Element packaging = child(project, "packaging");
    if (packaging == null || packaging.getTextContent().equals("jar")) {
      checkJar(pom, stem);
    }
  }

  private void checkJar(Path pom, String stem) throws IOException {
    for (String ending : BESIDE_A_JAR) {
      if (!Files.exists(pom.resolveSibling(stem + ending))) {
        complaints.add(stem + ": " + ending.substring(1) + " is missing");
      }
    }
    Path jar = pom.resolveSibling(stem + ".jar");
    if (!Files.exists(jar)) {
      complaints.add(stem + ": its jar is missing");
      return;
    }
    ModuleDescriptor module = ModuleFinder.of(jar).findAll().iterator().next().descriptor();
    boolean named = !module.isAutomatic() || hasAutomaticName(jar);
    if (!named || !module.name().startsWith("dev.syncguard.") || !moduleNames.add(module.name())) {
      complaints.add(stem + ": has no module name of its own, but " + module.name());
    }
  }

  private static boolean hasAutomaticName(Path jar) throws IOException {
    try (var file = new JarFile(jar.toFile())) {
      return file.getManifest().getMainAttributes().getValue("Automatic-Module-Name") != null;
    }
  }

  private void checkFile(Path file) throws Exception {
    for (String algorithm : List.of("MD5", "SHA-1")) {
      Path checksum = beside(file, "." + algorithm.toLowerCase().replace("-", ""));
      if (!Files.exists(checksum)
          || !Files.readString(checksum).strip().equals(digest(file, algorithm))) {
        complaints.add(file.getFileName() + ": its " + algorithm + " checksum is missing or wrong");
      }
    }
    Path signature = beside(file, ".asc");
    if (!Files.exists(signature) || !verifies(signature, file)) {
      complaints.add(file.getFileName() + ": its signature is missing or wrong");
    }
  }

  private static Path beside(Path file, String ending) {
    return file.resolveSibling(file.getFileName() + ending);
  }

  private static String digest(Path file, String algorithm)
      throws IOException, GeneralSecurityException {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
  }

  private static boolean verifies(Path signature, Path file) throws Exception {
    Process gpg = new ProcessBuilder(
            "gpg", "--batch", "--verify", signature.toString(), file.toString())
        .redirectErrorStream(true)
        .start();
    new String(gpg.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return gpg.waitFor() == 0;
  }

  private static Element parse(Path pom) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(pom.toFile())
        .getDocumentElement();
  }

  private static Element child(Element parent, String name) {
    for (var node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        return element;
      }
    }
    return null;
  }
}
