package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReferenceChecksTest {

  private static final String PREFIX = "check-";

  @Test
  void everyCheckOfTheReferenceIsInAContractThatAllBackendsMustKeep() {
    Set<Integer> present = Arrays.stream(BackendContracts.class.getDeclaredClasses())
        .map(Class::getSuperclass)
        .flatMap(contract -> Arrays.stream(contract.getDeclaredMethods()))
        .flatMap(method -> Arrays.stream(method.getAnnotationsByType(Tag.class)))
        .map(Tag::value)
        .filter(tag -> tag.startsWith(PREFIX))
        .map(tag -> Integer.valueOf(tag.substring(PREFIX.length())))
        .collect(Collectors.toCollection(TreeSet::new));
    assertThat(present)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 63).boxed().toList());
  }
}
