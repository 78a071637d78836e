package io.prescale.controller.operator;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;

class ApiServerFaultsTest {
  private final ApiServerFaults faults = new ApiServerFaults();

  @Test
  void anOutageIsTwoLinesHoweverManyRequestsFail() {
    var refused = new KubernetesClientException("refused");
    int lines = 0;
    for (int second = 0; second < 600; second++) {
      lines += faults.failed("team/chat", refused, NOON.plusSeconds(second)).isPresent() ? 1 : 0;
    }

    assertThat(lines).isEqualTo(1);
    assertThat(faults.succeeded(NOON.plusSeconds(610))).as("others may still fail").isEmpty();
    assertThat(faults.succeeded(NOON.plusSeconds(630)))
        .contains("The API server answers again, after 600 failures within 599 s.");
    assertThat(faults.succeeded(NOON.plusSeconds(640))).isEmpty();
  }

  @Test
  void aFaultThatChangesIsNamedAgain() {
    assertThat(faults.failed("team/chat", failure(503), NOON)).isPresent();
    assertThat(faults.failed("team/mail", failure(503), NOON)).isEmpty();
    assertThat(faults.failed("team/mail", failure(429), NOON).orElseThrow())
        .startsWith("The API server fails, first for team/mail: ");
  }

  @Test
  void failuresThatAreNotedLateMakeNoFaultEndEarlier() {
    faults.failed("team/chat", failure(503), NOON);
    faults.failed("team/chat", failure(503), NOON.plusSeconds(10));
    faults.failed("team/mail", failure(503), NOON.minusSeconds(6));

    assertThat(faults.succeeded(NOON.plusSeconds(35))).isEmpty();
    assertThat(faults.succeeded(NOON.plusSeconds(41)).orElseThrow()).endsWith("within 10 s.");
  }

  private static KubernetesClientException failure(int code) {
    return new KubernetesClientException("failed", code, null);
  }
}
