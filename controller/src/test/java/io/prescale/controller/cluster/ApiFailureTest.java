package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiFailureTest {
  @Test
  void returnsTheServersMessage() {
    var status = new StatusBuilder().withCode(403).withMessage("pods is forbidden").build();

    assertThat(
            ApiFailure.text(new KubernetesClientException("Failure executing: GET", 403, status)))
        .isEqualTo("pods is forbidden");
  }

  @Test
  void returnsTheReasonWhenTheServerWasNotReached() {
    var failure =
        new KubernetesClientException("Operation failed", new ConnectException("refused"));

    assertThat(ApiFailure.text(failure)).isEqualTo("refused");
    assertThat(ApiFailure.text(new KubernetesClientException("why", new ConnectException())))
        .isEqualTo("ConnectException");
    assertThat(
            ApiFailure.text(
                new KubernetesClientException(
                    "why", new IOException(new ClosedChannelException()))))
        .isEqualTo("connection closed");
  }

  @ParameterizedTest
  @CsvSource({
    "403, true",
    "404, true",
    "422, true",
    "409, false",
    "429, false",
    "500, false",
    "0, false"
  })
  void onlyFailuresThatNeedAChangeAreLasting(int code, boolean lasting) {
    var status = new StatusBuilder().withCode(code).build();

    assertThat(ApiFailure.isLasting(new KubernetesClientException("no", code, status)))
        .isEqualTo(lasting);
  }
}
