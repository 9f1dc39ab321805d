package dev.syncguard.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may know whom among the modules. The program sees all of them, so it can tell. */
class ArrowsTest {

  private static final String CORE = "dev.syncguard.lock";
  private static final String JDBC = "dev.syncguard.lock.jdbc..";
  private static final String REDIS = "dev.syncguard.lock.redis..";
  private static final String ON_FIRESTORE = "dev.syncguard.lock.firestore..";
  private static final String RULES = "dev.syncguard.rules..";
  private static final String FIRESTORE = "dev.syncguard.firestore..";
  private static final String TORTURE = "dev.syncguard.torture..";
  private static final String CONSOLE = "dev.syncguard.console..";
  private static final String CLI = "dev.syncguard.cli..";

  private static final JavaClasses CLASSES = new ClassFileImporter()
      .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
      .importPackages("dev.syncguard");

  @Test
  void allModulesAreLookedAt() {
    for (String module :
        List.of(CORE, JDBC, REDIS, ON_FIRESTORE, RULES, FIRESTORE, TORTURE, CONSOLE, CLI)) {
      assertThat(CLASSES.stream().map(type -> type.getPackageName() + "."))
          .as(module)
          .anyMatch(name -> name.startsWith(module.replace("..", ".")));
    }
  }

  @Test
  void theCoreKnowsNobody() {
    for (String part :
        List.of("", ".spi", ".memory", ".telemetry", ".lease", ".waiting", ".runtime")) {
      assertKnowsNone(
          CORE + part, JDBC, REDIS, ON_FIRESTORE, RULES, FIRESTORE, TORTURE, CONSOLE, CLI);
    }
  }

  @Test
  void aBackendKnowsOnlyTheCore() {
    assertKnowsNone(JDBC, REDIS, ON_FIRESTORE, FIRESTORE, CLI);
    assertKnowsNone(REDIS, JDBC, ON_FIRESTORE, FIRESTORE, CLI);
    assertKnowsNone(ON_FIRESTORE, JDBC, REDIS, FIRESTORE, CLI);
  }

  /** It tortures whatever it is given, through the public API. */
  @Test
  void tortureKnowsNoStore() {
    assertKnowsNone(TORTURE, JDBC, REDIS, ON_FIRESTORE, FIRESTORE, CLI);
  }

  @Test
  void theFirestoreServerKnowsNothingOfLocks() {
    assertKnowsNone(FIRESTORE, "dev.syncguard.lock..", CLI);
  }

  /** It talks to a Firestore as everybody does, over HTTP. */
  @Test
  void theConsoleKnowsOnlyTheCore() {
    assertKnowsNone(CONSOLE, JDBC, REDIS, ON_FIRESTORE, FIRESTORE, CLI);
  }

  /** So that rules can be tested, and used, without a server. */
  @Test
  void theSecurityRulesKnowNothingOfTheServer() {
    assertKnowsNone(RULES, FIRESTORE, "dev.syncguard.lock..", CLI);
  }

  private void assertKnowsNone(String module, String... others) {
    noClasses()
        .that()
        .resideInAPackage(module)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .check(CLASSES);
  }
}
