package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockException.Code;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodeTest {

  @ParameterizedTest
  @CsvSource({
    "SERVICE_UNAVAILABLE, 69",
    "NETWORK_TIMEOUT, 69",
    "RATE_LIMITED, 69",
    "ABORTED, 69",
    "AUTH_FAILED, 77",
    "INVALID_ARGUMENT, 2",
    "ACQUISITION_TIMEOUT, 75",
    "INTERNAL, 70"
  })
  void saysWhatKindOfFailureItWas(Code code, int expected) {
    assertThat(ExitCode.of(code)).isEqualTo(expected);
  }
}
