package dev.syncguard.firestore.server.spring;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.TypeFilterUtils;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.core.type.filter.TypeFilter;
import org.springframework.stereotype.Repository;

/**
 * Leaves out of a scan what is not of the slice. Written anew because the classes that Spring Boot has for it moved to another
 * package between 3.5 and 4.0.
 */
final class FirestoreSliceFilter extends TypeExcludeFilter {
  private final List<TypeFilter> included;
  private final List<TypeFilter> excluded;

  FirestoreSliceFilter(DataFirestoreTest slice, ConfigurableApplicationContext context) {
    this.included = filters(slice.includeFilters(), context);
    this.excluded = filters(slice.excludeFilters(), context);
    if (slice.useDefaultFilters()) {
      included.add(new AnnotationTypeFilter(Repository.class));
    }
  }

  private static List<TypeFilter> filters(
      Filter[] filters, ConfigurableApplicationContext context) {
    List<TypeFilter> all = new ArrayList<>();
    for (Filter each : filters) {
      AnnotationAttributes attributes =
          AnnotationUtils.getAnnotationAttributes(FirestoreSliceFilter.class, each);
      all.addAll(TypeFilterUtils.createTypeFiltersFor(
          attributes, context.getEnvironment(), context, (BeanDefinitionRegistry)
              context.getBeanFactory()));
    }
    return all;
  }

  @Override
  public boolean match(MetadataReader type, MetadataReaderFactory types) throws IOException {
    return !matchesAny(included, type, types) || matchesAny(excluded, type, types);
  }

  private static boolean matchesAny(
      List<TypeFilter> filters, MetadataReader type, MetadataReaderFactory types)
      throws IOException {
    for (TypeFilter each : filters) {
      if (each.match(type, types)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
