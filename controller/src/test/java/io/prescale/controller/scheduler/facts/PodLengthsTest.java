package io.prescale.controller.scheduler.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.placement.inventory.DeclaredLength;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodLengthsTest {
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  private static Optional<DeclaredLength> read(String within, String deadline, String started) {
    Pod pod =
        YAML.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: n, annotations: {gpu.prescale.io/ends-within: "%s"}}
            spec: {activeDeadlineSeconds: %s}
            status: {startTime: %s}
            """
                .formatted(within, deadline, started));
    return PodLengths.of(pod);
  }

  @ParameterizedTest
  @CsvSource({
    "20m, null, 1200",
    "20m, 600, 600",
    "20m, 7200, 1200",
    "'', 90, 90",
    "soon, 90, 90",
    "0s, 90, 90",
    "1h, -5, 3600",
    "999999h, 9000000000000000, -1",
    "'', null, -1"
  })
  void theDeadlineOrTheAnnotationWhicheverIsShorter(String within, String deadline, long seconds) {
    assertThat(read(within, deadline, "null").map(it -> it.length().toSeconds()).orElse(-1L))
        .isEqualTo(seconds);
  }

  @Test
  void theStartIsThatOfThePodAndUnknownIfItMakesNoSense() {
    var twenty = Duration.ofMinutes(20);
    var nine = Instant.parse("2026-11-24T09:00:00Z");
    assertThat(read("20m", "null", "\"2026-11-24T09:00:00Z\""))
        .contains(new DeclaredLength(twenty, Optional.of(nine)));
    assertThat(read("20m", "null", "soon")).contains(new DeclaredLength(twenty, Optional.empty()));
  }
}
