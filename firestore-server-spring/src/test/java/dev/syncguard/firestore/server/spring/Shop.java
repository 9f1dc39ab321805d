package dev.syncguard.firestore.server.spring;

import com.google.cloud.firestore.Firestore;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that keeps its orders in Firestore, and does not know about tests. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Shop {

  @Bean
  Orders orders(Firestore firestore) {
    return new Orders(firestore);
  }

  /** Where the orders are. */
  record Orders(Firestore firestore) {
    void place(String id, int total) throws Exception {
      firestore.document("orders/" + id).set(Map.of("total", total)).get();
    }

    int count() throws Exception {
      return firestore.collection("orders").get().get().size();
    }
  }
}
