package io.prescale.adapter.keda;

import static io.prescale.adapter.keda.KedaClient.ref;
import static io.prescale.adapter.keda.KedaClient.refOf;
import static io.prescale.adapter.keda.KedaClient.refused;
import static io.prescale.adapter.keda.ScalerFixture.METRIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.prescale.adapter.keda.KedaClient.Amount;
import io.prescale.adapter.server.ListenerException;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** KEDA's calls over real TLS. */
class ExternalScalerServerTest {
  private ScalerFixture scaler;

  @BeforeEach
  void start() throws ListenerException {
    scaler = new ScalerFixture();
  }

  @AfterEach
  void stop() {
    scaler.close();
  }

  @Test
  void aFreshValueIsSentAsBothNumbers() {
    scaler.serve(128_500);

    assertThat(scaler.operator().value(refOf("chat"), METRIC))
        .isEqualTo(new Amount(METRIC, 129, 128.5));
    assertThat(scaler.operator().isActive(refOf("chat"))).isTrue();
  }

  @Test
  void theLastKnownGoodValueStandsIn() {
    scaler.serve(128_500);
    scaler.later(ScalerFixture.TTL);

    assertThat(scaler.operator().value(refOf("chat"), METRIC).fraction()).isEqualTo(128.5);
    assertThat(scaler.operator().isActive(refOf("chat"))).isTrue();
  }

  @Test
  void anUnknownValueIsNeither0NorInactive() {
    scaler.serve(128_500);
    scaler.later(ScalerFixture.TTL.plusSeconds(1));
    var keda = scaler.operator();

    refused(
        () -> keda.value(refOf("chat"), METRIC),
        Status.Code.UNAVAILABLE,
        "the value of models/requests from chat is unknown: the last one is 901 s old and may stand"
            + " in for 900 s");
    refused(() -> keda.isActive(refOf("chat")), Status.Code.UNAVAILABLE, "is unknown");
    assertThat(Amount.of(keda.specs(refOf("chat")))).isEqualTo(new Amount(METRIC, 24, 24));
  }

  @Test
  void beforeTheFirstValueTheSpecIsThereAlready() {
    var keda = scaler.operator();

    assertThat(Amount.of(keda.specs(refOf("chat")))).isEqualTo(new Amount(METRIC, 24, 24));
    refused(() -> keda.value(refOf("chat"), METRIC), Status.Code.UNAVAILABLE, "no PredictiveHPA");
    refused(() -> keda.isActive(refOf("chat")), Status.Code.UNAVAILABLE, "no PredictiveHPA");
  }

  @Test
  void aReplicaThatHasNotReadTheClusterRefuses() {
    scaler.serve(1_000);
    scaler.fault.set(Optional.of("PredictiveHPAs are not read yet"));

    refused(
        () -> scaler.operator().specs(refOf("chat")),
        Status.Code.UNAVAILABLE,
        "This replica does not answer: PredictiveHPAs are not read yet");
  }

  @Test
  void aValueOf0KeepsTheTargetActiveUnlessTheTriggerHasAThreshold() {
    scaler.serve(0);
    var keda = scaler.operator();

    assertThat(keda.value(refOf("chat"), METRIC)).isEqualTo(new Amount(METRIC, 0, 0));
    assertThat(keda.isActive(refOf("chat"))).isTrue();
    assertThat(keda.isActive(withThreshold("0"))).isFalse();
    scaler.serve(2_500);
    assertThat(keda.isActive(withThreshold("0"))).isTrue();
    assertThat(keda.isActive(withThreshold("2.5"))).isFalse();
  }

  @Test
  void whereThereMayBeNoReplicasAValueOf0IsIdleAndAnUnknownOneIsAnError() {
    scaler.declared.put("models/chat", List.of(new DeclaredMetric(METRIC, 24, true)));
    var keda = scaler.operator();
    scaler.serve(0);
    assertThat(keda.isActive(refOf("chat"))).isFalse();
    scaler.serve(24_000);
    assertThat(keda.isActive(refOf("chat"))).isTrue();
    scaler.later(ScalerFixture.TTL.plusSeconds(1));
    refused(() -> keda.isActive(refOf("chat")), Status.Code.UNAVAILABLE, "is unknown");
  }

  @Test
  void ofSeveralMetricsOneKnownAndActiveSuffices() {
    scaler.declared.put(
        "models/chat",
        List.of(new DeclaredMetric(METRIC, 24, false), new DeclaredMetric("tokens", 0.5, false)));
    scaler.serve("models", "chat", "tokens", 1);
    var keda = scaler.operator();

    assertThat(keda.isActive(refOf("chat"))).isTrue();
    refused(() -> keda.isActive(withThreshold("1")), Status.Code.UNAVAILABLE, "requests");
    assertThat(keda.value(refOf("chat"), "tokens")).isEqualTo(new Amount("tokens", 1, 0.001));
    var alone = ref("models", Map.of("predictiveHPA", "chat", "metric", "tokens"));
    assertThat(Amount.of(keda.specs(alone))).isEqualTo(new Amount("tokens", 1, 0.5));
  }

  @Test
  void whatIsNotThereIsNotFound() {
    scaler.serve(1_000);
    scaler.serve("other", "chat", METRIC, 1_000);
    var keda = scaler.operator();

    refused(
        () -> keda.specs(refOf("chats")),
        Status.Code.NOT_FOUND,
        "There is no PredictiveHPA chats in namespace models; correct metadata.predictiveHPA of the"
            + " trigger.");
    refused(
        () -> keda.value(ref("other", Map.of("predictiveHPA", "chat")), METRIC),
        Status.Code.NOT_FOUND,
        "no PredictiveHPA chat in namespace other");
    refused(
        () -> keda.value(refOf("chat"), "s0-requests"),
        Status.Code.NOT_FOUND,
        "PredictiveHPA models/chat has no metric \"s0-requests\"; the trigger may have requests.");
    refused(
        () -> keda.specs(ref("models", Map.of("predictiveHPA", "chat", "metric", "tokens"))),
        Status.Code.NOT_FOUND,
        "no metric \"tokens\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "predictiveHPA | '' | metadata.predictiveHPA is \"\"; write the name of a PredictiveHPA.",
        "predictiveHPA | ../../secrets | metadata.predictiveHPA is \"../../secrets\"",
        "predictiveHPA | Chat | metadata.predictiveHPA is \"Chat\"",
        "predictiveHPA | châ\u0000t | metadata.predictiveHPA is \"ch??t\"",
        "predictivehpa | chat | The trigger's metadata has no predictiveHPA; write the name",
      })
  void metadataThatMakesNoSenseIsNamed(String key, String value, String message) {
    refused(
        () -> scaler.operator().specs(ref("models", Map.of(key, value == null ? "" : value))),
        Status.Code.INVALID_ARGUMENT,
        message);
  }

  @ParameterizedTest
  @CsvSource({"-1", "NaN", "1e9", "''", "9999999999999999"})
  void aThresholdIsANumber(String threshold) {
    refused(
        () -> scaler.operator().isActive(withThreshold(threshold)),
        Status.Code.INVALID_ARGUMENT,
        "metadata.activationThreshold is \"" + threshold + "\"; write a number such as 0 or 2.5.");
  }

  @Test
  void hugeMessagesAreRefused() {
    var keda = scaler.operator();
    var long1 = "a".repeat(60_000);

    refused(
        () -> keda.specs(refOf(long1)),
        Status.Code.INVALID_ARGUMENT,
        "metadata.predictiveHPA is \"" + "a".repeat(80) + "…\"");
    refused(() -> keda.specs(refOf("a".repeat(70_000))), Status.Code.RESOURCE_EXHAUSTED, "65536");
    scaler.serve(1_000);
    assertThat(keda.isActive(refOf("chat"))).isTrue(); // on the same connection
  }

  @Test
  void bytesThatAreNoMessageAreRefused() {
    var keda = scaler.operator();

    refused(
        () -> keda.specs(new byte[] {0x0a, 0x7f, 1}),
        Status.Code.INVALID_ARGUMENT,
        "The message is not one of externalscaler.proto: a field is longer than the message");
    refused(
        () -> keda.specs(new byte[] {0x0a, 1, (byte) 0xff}),
        Status.Code.INVALID_ARGUMENT,
        "a string is not UTF-8");
    refused(() -> keda.call("GetMetrics", new byte[0]), Status.Code.INVALID_ARGUMENT, "namespace");
    var random = new Random(7);
    for (int i = 0; i < 300; i++) {
      var noise = new byte[random.nextInt(1, 200)];
      random.nextBytes(noise);
      assertThatExceptionOfType(StatusRuntimeException.class)
          .isThrownBy(() -> keda.specs(noise))
          .satisfies(
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT));
    }
  }

  @Test
  void fieldsOfALaterVersionAreSkipped() {
    scaler.serve(1_000);
    var later = new ByteArrayOutputStream();
    later.writeBytes(refOf("chat"));
    later.writeBytes(new byte[] {(byte) 0xf8, 1, 5}); // 31, varint
    later.writeBytes(new byte[] {(byte) 0xfd, 1, 0, 0, 0, 0}); // 31, 32 bits
    later.writeBytes(new byte[] {(byte) 0xf9, 1, 0, 0, 0, 0, 0, 0, 0, 0}); // 31, 64 bits
    later.writeBytes(new byte[] {(byte) 0xfa, 1, 2, 'h', 'i'});

    assertThat(scaler.operator().isActive(later.toByteArray())).isTrue();
  }

  @Test
  void aMethodOfALaterVersionIsUnimplemented() {
    refused(
        () -> scaler.operator().call("GetMore", refOf("chat")),
        Status.Code.UNIMPLEMENTED,
        "GetMore");
  }

  private static byte[] withThreshold(String threshold) {
    return ref("models", Map.of("predictiveHPA", "chat", "activationThreshold", threshold));
  }
}
