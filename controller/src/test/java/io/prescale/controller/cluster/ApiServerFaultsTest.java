package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiServerFaultsTest {
  private static final Instant NOON = Instant.parse("2026-07-01T12:00:00Z");

  private final ApiServerFaults faults =
      new ApiServerFaults("The API server fails", "The API server answers again");

  @Test
  void anOutageIsTwoLinesHoweverManyRequestsFail() {
    var refused = new KubernetesClientException("refused");
    int lines = 0;
    for (int second = 0; second < 600; second++) {
      lines += faults.failed("team/chat", refused, NOON.plusSeconds(second)).isPresent() ? 1 : 0;
    }

    assertThat(lines).isEqualTo(1);
    assertThat(faults.succeeded("team/chat", NOON.plusSeconds(610)))
        .as("others may still fail")
        .isEmpty();
    assertThat(faults.succeeded("team/chat", NOON.plusSeconds(630)))
        .contains("The API server answers again, after 600 failures within 599 s.");
    assertThat(faults.succeeded("team/chat", NOON.plusSeconds(640))).isEmpty();
  }

  @Test
  void aFaultThatChangesIsNamedAgain() {
    assertThat(faults.failed("team/chat", failure(503), NOON)).isPresent();
    assertThat(faults.failed("team/mail", failure(503), NOON)).isEmpty();
    assertThat(faults.failed("team/mail", failure(429), NOON).orElseThrow())
        .startsWith("The API server fails, first for team/mail: ");
  }

  @Test
  void faultsThatAlternateAreOneLineEach() {
    int lines = 0;
    for (int round = 0; round < 100; round++) {
      lines += faults.failed("team/chat", failure(503), NOON).isPresent() ? 1 : 0;
      lines += faults.failed("team/mail", failure(429), NOON).isPresent() ? 1 : 0;
    }

    assertThat(lines).isEqualTo(2);
  }

  @Test
  void failuresThatAreNotedLateMakeNoFaultEndEarlier() {
    faults.failed("team/chat", failure(503), NOON);
    faults.failed("team/chat", failure(503), NOON.plusSeconds(10));
    faults.failed("team/chat", failure(503), NOON.minusSeconds(6));

    assertThat(faults.succeeded("team/chat", NOON.plusSeconds(35))).isEmpty();
    assertThat(faults.succeeded("team/chat", NOON.plusSeconds(41)).orElseThrow())
        .endsWith("within 10 s.");
  }

  /** Of an HPA that is refused every minute, while a thousand others are written. */
  @Test
  void whatSucceedsForOthersEndsNoFault() {
    var lines = new ArrayList<String>();
    for (int second = 0; second < 600; second++) {
      var now = NOON.plusSeconds(second);
      if (second % 60 == 0) {
        faults.failed("team/refused", failure(422), now).ifPresent(lines::add);
      } else {
        faults.succeeded("team/other-" + second, now).ifPresent(lines::add);
      }
    }
    assertThat(lines).hasSize(1);

    assertThat(faults.succeeded("team/refused", NOON.plusSeconds(600)).orElseThrow())
        .startsWith("The API server answers again, after 10 failures");
  }

  @Test
  void whatIsGoneKeepsNoFaultForEver() {
    faults.failed("team/deleted", failure(503), NOON);

    assertThat(faults.succeeded("team/other", NOON.plusSeconds(1_800))).isEmpty();
    assertThat(faults.succeeded("team/other", NOON.plusSeconds(1_801))).isPresent();
  }

  /** As of one that another replica has worked on since. */
  @Test
  void anOutageLongAfterOneWhoseEndWasNotSeenIsNamed() {
    faults.failed("team/moved", failure(503), NOON);

    assertThat(faults.failed("team/chat", failure(503), NOON.plusSeconds(1_800))).isEmpty();
    assertThat(faults.failed("team/chat", failure(503), NOON.plusSeconds(3_601))).isPresent();
    assertThat(faults.succeeded("team/chat", NOON.plusSeconds(3_640)))
        .contains("The API server answers again, after 1 failures within 0 s.");
  }

  @Test
  void oneObjectIsNamedByTheLineItself() {
    var certificate =
        new ApiServerFaults("The serving certificate stays as it is", "It is kept again");
    var wrapped = new IOException("secret a/b: connection refused", failure(0));

    assertThat(certificate.failed(wrapped, NOON))
        .contains(
            "The serving certificate stays as it is: secret a/b: connection refused."
                + " Further failures are only counted.");
    var lines =
        List.of(
            certificate.failed(new IOException("secret a/b: no answer", failure(0)), NOON),
            certificate.failed(new IOException("there is no file x"), NOON),
            certificate.failed(new IOException("there is no file x"), NOON));
    assertThat(lines.stream().map(it -> it.isPresent())).containsExactly(false, true, false);
    assertThat(certificate.succeeded(NOON.plusSeconds(31)))
        .contains("It is kept again, after 4 failures within 0 s.");
  }

  private static KubernetesClientException failure(int code) {
    return new KubernetesClientException("failed", code, null);
  }
}
