package io.prescale.controller.operator.hpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.VersionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HpaFeaturesTest {
  @ParameterizedTest
  @CsvSource({
    "1, 34, false",
    "1, 35, true",
    "1, 36+, true",
    "2, 0, true",
    "0, 99, false",
    ", , false",
    "one, x, false",
    "1, 99999999999, false"
  })
  void knowsToleranceFromOneThirtyFive(String major, String minor, boolean tolerance)
      throws Exception {
    var version = new VersionInfo.Builder().withMajor(major).withMinor(minor).build();

    assertThat(HpaFeatures.of(version).tolerance()).isEqualTo(tolerance);
  }
}
