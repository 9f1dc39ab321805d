package dev.syncguard.sync;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

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
  void eachPackageNeedsOnlyThoseBehindIt() {
    needsNothingOf("text", "state", "local", "remote");
    needsNothingOf("state", "local", "remote");
    needsNothingOf("local", "remote");
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
}
