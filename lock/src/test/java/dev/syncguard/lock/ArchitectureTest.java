package dev.syncguard.lock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  private static final JavaClasses LIBRARY = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .importPackages("dev.syncguard.lock");

  @Test
  void theLibraryNeedsNothingButTheJdk() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.syncguard.lock..", "java..", "org.jspecify.annotations..")
        .check(LIBRARY);
  }

  @Test
  void backendAuthorsDoNotDependOnTheUserLevel() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.syncguard.lock.spi..",
            "dev.syncguard.lock.memory..",
            "dev.syncguard.lock.telemetry..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(
            Locks.class, LockRequest.class, Lease.class, LeaseGroup.class, LockAllRequest.class)
        .check(LIBRARY);
  }

  @Test
  void onlySystemTimeReadsTheClocksOfTheMachine() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.syncguard.lock.SystemTime")
        .and()
        .doNotHaveFullyQualifiedName("dev.syncguard.lock.SystemTime$ParkingSignal")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .check(LIBRARY);
  }
}
