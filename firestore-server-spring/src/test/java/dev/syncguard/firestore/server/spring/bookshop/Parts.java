package dev.syncguard.firestore.server.spring.bookshop;

import com.google.cloud.firestore.Firestore;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Repository;
import org.springframework.stereotype.Service;

/** What the bookshop consists of. Not inside of its configuration, where Spring would find them without a scan. */
final class Parts {
  private Parts() {}

  /** Where the books are. */
  @Repository
  static class Books {
    private final Firestore firestore;
    private final String shelf;

    Books(Firestore firestore, @Value("${bookshop.shelf:books}") String shelf) {
      this.firestore = firestore;
      this.shelf = shelf;
    }

    void add(String title) throws Exception {
      firestore.collection(shelf).document(title).set(Map.of("title", title)).get();
    }

    int count() throws Exception {
      return firestore.collection(shelf).get().get().size();
    }

    String shelf() {
      return shelf;
    }
  }

  /** Something that a test of the repository does without. */
  @Service
  static class Mailer {
    private final Wire wire;

    Mailer(Wire wire) {
      this.wire = wire;
    }

    Wire wire() {
      return wire;
    }
  }

  /** What a mailer needs. */
  record Wire() {}

  /** Something with neither state nor needs. */
  @Component
  static class Prices {}

  /** A part of the application that only works in production. */
  @Configuration(proxyBeanMethods = false)
  static class Production {
    @Bean
    Wire wire() {
      throw new IllegalStateException("There is no wire in a test");
    }
  }
}
