package dev.syncguard.lock;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
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

  /** Each layer of machinery can be read without those above it. */
  @Test
  void leasesKnowNothingOfWaitingAndTheRuntimeKnowsNeither() {
    noClasses()
        .that()
        .resideInAPackage("dev.syncguard.lock.runtime")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.syncguard.lock.lease", "dev.syncguard.lock.waiting")
        .check(LIBRARY);
    noClasses()
        .that()
        .resideInAPackage("dev.syncguard.lock.lease")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.syncguard.lock.waiting")
        .check(LIBRARY);
  }

  @Test
  void usersImportNoMachinery() {
    assertThat(Locks.class.getModule().getDescriptor()).isNotNull();
    assertThat(Locks.class.getModule().getDescriptor().exports())
        .filteredOn(export -> !export.isQualified())
        .extracting(export -> export.source().replace("dev.syncguard.lock", ""))
        .containsExactlyInAnyOrder("", ".memory", ".spi", ".telemetry");
  }

  @Test
  void lockIdsComeFromASecureGeneratorAlone() {
    classes()
        .that()
        .haveFullyQualifiedName(Locks.Builder.class.getName())
        .should()
        .callConstructor(SecureRandom.class)
        .check(LIBRARY);
    noClasses()
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Random.class, ThreadLocalRandom.class, SplittableRandom.class)
        .orShould()
        .callMethod(Math.class, "random")
        .check(LIBRARY);
  }

  @Test
  void telemetryMakesHashesWhereItsListenerRuns() {
    assertThat(Stream.of(LockKey.class, LockId.class)
            .flatMap(type -> LIBRARY.get(type).getMethod("hash").getAccessesToSelf().stream())
            .filter(access -> access.getOriginOwner().getPackageName().endsWith(".telemetry"))
            .map(access -> access.getOrigin().getName()))
        .containsExactly("tell", "tell");
  }

  @Test
  void onlySystemTimeReadsTheClocksOfTheMachine() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("dev.syncguard.lock.runtime.SystemTime")
        .and()
        .doNotHaveFullyQualifiedName("dev.syncguard.lock.runtime.SystemTime$ParkingSignal")
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
