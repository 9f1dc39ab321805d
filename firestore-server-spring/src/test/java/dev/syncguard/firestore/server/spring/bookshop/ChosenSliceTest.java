package dev.syncguard.firestore.server.spring.bookshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.spring.DataFirestoreTest;
import dev.syncguard.firestore.server.spring.bookshop.Parts.Books;
import dev.syncguard.firestore.server.spring.bookshop.Parts.Prices;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.stereotype.Repository;

/** What a slice has can be chosen. */
@DataFirestoreTest(
    useDefaultFilters = false,
    includeFilters = {
      @Filter(Repository.class),
      @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Prices.class)
    },
    excludeFilters = @Filter(type = FilterType.REGEX, pattern = ".*Books"),
    excludeAutoConfiguration = PropertyPlaceholderAutoConfiguration.class,
    project = "demo-other",
    reset = false)
class ChosenSliceTest {

  @Test
  void whatIsIncludedIsABeanUnlessItIsExcluded(@Autowired ApplicationContext application) {
    assertThat(application.getBeanNamesForType(Prices.class)).hasSize(1);
    assertThat(application.getBeanNamesForType(Books.class)).isEmpty();
    assertThat(application.getBeanNamesForType(PropertyPlaceholderAutoConfiguration.class))
        .isEmpty();
  }
}
