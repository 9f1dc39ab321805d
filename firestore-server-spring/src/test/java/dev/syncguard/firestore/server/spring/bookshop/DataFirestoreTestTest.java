package dev.syncguard.firestore.server.spring.bookshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.spring.DataFirestoreTest;
import dev.syncguard.firestore.server.spring.bookshop.Parts.Books;
import dev.syncguard.firestore.server.spring.bookshop.Parts.Mailer;
import dev.syncguard.firestore.server.spring.bookshop.Parts.Prices;
import dev.syncguard.firestore.server.spring.bookshop.Parts.Production;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;

/** A slice has the repositories of an application, a Firestore, and nothing that they do without. */
@DataFirestoreTest(properties = "bookshop.shelf=novels")
class DataFirestoreTestTest {

  @Autowired
  private Books books;

  @Autowired
  private ApplicationContext application;

  @Test
  void thisIsTheSpringBootThatItSaysItIs() {
    assertThat(SpringBootVersion.getVersion()).startsWith(System.getProperty("spring.boot"));
  }

  @RepeatedTest(2)
  void eachTestBeginsWithoutTheDocumentsOfOthers() throws Exception {
    assertThat(books.count()).isZero();
    books.add("Emma");
    assertThat(books.count()).isEqualTo(1);
  }

  @Test
  void onlyRepositoriesAreBeans() {
    assertThat(application.getBeanNamesForType(Books.class)).hasSize(1);
    for (Class<?> left : new Class<?>[] {
      Mailer.class, Prices.class, Production.class, TaskExecutionAutoConfiguration.class
    }) {
      assertThat(application.getBeanNamesForType(left)).as(left.getSimpleName()).isEmpty();
    }
  }

  @Test
  void propertiesOfTheSliceAndTheAddressAreKnown(
      @Autowired Environment environment, @Autowired FirestoreServer server) {
    assertThat(books.shelf()).isEqualTo("novels");
    assertThat(environment.getProperty("FIRESTORE_EMULATOR_HOST")).isEqualTo(server.emulatorHost());
  }
}
