package dev.syncguard.sync;

import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  private static final Set<String> EXPORTED =
      Set.of("dev.syncguard.sync", "dev.syncguard.sync.jvm");

  private static final String[] BEHIND_THE_DOOR = {
    "dev.syncguard.sync.engine..",
    "dev.syncguard.sync.remote..",
    "dev.syncguard.sync.local..",
    "dev.syncguard.sync.state..",
    "dev.syncguard.sync.text.."
  };

  private static final JavaClasses LIBRARY = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .importPackages("dev.syncguard.sync");

  @Test
  void theLibraryNeedsNothingButTheJdk() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.syncguard.sync..", "java..", "org.jspecify.annotations..")
        .check(LIBRARY);
  }

  @Test
  void theEngineSeesTimeChanceAndThreadsOnlyThroughItsPorts() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.syncguard.sync.jvm..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.syncguard.sync.jvm..",
            "java.util.concurrent..",
            "java.util.regex..",
            "java.time..",
            "java.io..",
            "java.nio.file..",
            "java.net..",
            "java.security..")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Math.class, "random")
        .check(LIBRARY);
  }

  @Test
  void nothingBehindTheDoorKnowsWhoOpensIt() {
    noClasses()
        .that()
        .resideInAnyPackage(BEHIND_THE_DOOR)
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(
            PersistenceSync.class, ReaderState.class, SyncConfig.class, GraphQlForum.class)
        .check(LIBRARY);
  }

  @Test
  void eachPackageNeedsOnlyThoseBehindIt() {
    needsNothingOf("text", "state", "local", "remote", "engine");
    needsNothingOf("state", "local", "remote", "engine");
    needsNothingOf("local", "remote", "engine");
    needsNothingOf("remote", "engine");
  }

  private static void needsNothingOf(String inner, String... outer) {
    String[] packages =
        Stream.of(outer).map(each -> "dev.syncguard.sync." + each).toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("dev.syncguard.sync." + inner)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages)
        .check(LIBRARY);
  }

  @Test
  void usersCanNameWhatTheyAreGivenAndNothingElse() {
    Set<String> shown = new TreeSet<>();
    for (JavaClass type : LIBRARY) {
      if (EXPORTED.contains(type.getPackageName()) && type.getModifiers().contains(PUBLIC)) {
        shown.addAll(shownBy(type));
      }
    }
    assertThat(shown).contains("dev.syncguard.sync").isSubsetOf(EXPORTED);
  }

  /** Returns our packages whose types stand in what others can call, read or extend of a type. */
  private static Set<String> shownBy(JavaClass type) {
    Set<JavaClass> named = new HashSet<>(type.getRawInterfaces());
    type.getRawSuperclass().ifPresent(named::add);
    for (JavaMember member : type.getMembers()) {
      if (member.getModifiers().contains(PUBLIC) || member.getModifiers().contains(PROTECTED)) {
        named.addAll(member.getAllInvolvedRawTypes());
      }
    }
    return named.stream()
        .map(JavaClass::getPackageName)
        .filter(each -> each.startsWith("dev.syncguard.sync"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theModuleExportsTheDoorAndWhatTheJvmBringsAlong() {
    assertThat(ModuleFinder.of(Path.of("target/classes"))
            .findAll()
            .iterator()
            .next()
            .descriptor()
            .exports())
        .allMatch(exports -> !exports.isQualified())
        .extracting(ModuleDescriptor.Exports::source)
        .containsExactlyInAnyOrderElementsOf(EXPORTED);
  }
}
