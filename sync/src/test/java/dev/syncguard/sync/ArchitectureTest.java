package dev.syncguard.sync;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
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
        .resideInAPackage("dev.syncguard.sync")
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
}
