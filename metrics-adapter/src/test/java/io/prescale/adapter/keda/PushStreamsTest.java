package io.prescale.adapter.keda;

import static io.prescale.adapter.keda.KedaClient.isTrue;
import static io.prescale.adapter.keda.KedaClient.ref;
import static io.prescale.adapter.keda.KedaClient.refOf;
import static io.prescale.adapter.keda.ScalerFixture.METRIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.keda.KedaClient.Amount;
import io.prescale.adapter.server.ListenerException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * {@code StreamIsActive} and {@code StreamMetricSpec}, as triggers of type external-push use them.
 */
class PushStreamsTest {
  private final ScalerFixture scaler;
  private final ExecutorService reader = Executors.newVirtualThreadPerTaskExecutor();

  PushStreamsTest() throws ListenerException {
    scaler = new ScalerFixture(2);
  }

  @AfterEach
  void stop() {
    scaler.close();
    reader.close();
  }

  private static byte[] above(String threshold) {
    return ref("models", Map.of("predictiveHPA", "chat", "activationThreshold", threshold));
  }

  private boolean next(Iterator<byte[]> stream) throws Exception {
    return isTrue(read(stream));
  }

  private byte[] read(Iterator<byte[]> stream) throws Exception {
    return reader.submit(stream::next).get(10, TimeUnit.SECONDS);
  }

  @Test
  void tellsAtOnceAndThenEachChange() throws Exception {
    scaler.serve(3_000);
    var stream = scaler.operator().streamIsActive(above("5"));

    assertThat(next(stream)).isFalse();
    scaler.serve(6_000);
    assertThat(next(stream)).isTrue();
    scaler.serve(7_000); // no change
    scaler.serve(5_000);
    assertThat(next(stream)).isFalse();
  }

  @Test
  void theMetricIsToldBeforeItHasAValueAndThenEachChangeOfItsTarget() throws Exception {
    var stream = scaler.operator().streamMetricSpec(refOf("chat"));

    assertThat(Amount.of(read(stream))).isEqualTo(new Amount(METRIC, 24, 24));
    scaler.serve(3_000); // no change
    scaler.declared.put("models/chat", List.of(new DeclaredMetric(METRIC, 30, false)));
    assertThat(Amount.of(read(stream))).isEqualTo(new Amount(METRIC, 30, 30));
  }

  @Test
  void saysNothingWhileTheValueIsUnknown() throws Exception {
    var stream = scaler.operator().streamIsActive(refOf("chat"));
    var first = reader.submit(() -> isTrue(stream.next()));

    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> first.get(300, TimeUnit.MILLISECONDS));
    scaler.serve(1_000);
    assertThat(first.get(10, TimeUnit.SECONDS)).isTrue();
    scaler.later(ScalerFixture.TTL.plusSeconds(1));
    var second = reader.submit(() -> isTrue(stream.next()));
    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(() -> second.get(300, TimeUnit.MILLISECONDS));
    scaler.server.close();
    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> second.get(10, TimeUnit.SECONDS)); // no second element
  }

  @Test
  void endsWithOkWhenTheServerStops() throws Exception {
    scaler.serve(1_000);
    var stream = scaler.operator().streamIsActive(refOf("chat"));
    assertThat(next(stream)).isTrue();
    var more = reader.submit(stream::hasNext);

    scaler.server.close();

    assertThat(more.get(10, TimeUnit.SECONDS)).isFalse(); // io.EOF to KEDA, which soon reconnects
  }

  @Test
  void endsWithNotFoundWhenThePredictiveHpaIsDeleted() throws Exception {
    scaler.serve(1_000);
    var stream = scaler.operator().streamIsActive(refOf("chat"));
    assertThat(next(stream)).isTrue();

    scaler.declared.clear();
    scaler.model.withdraw(new MetricKey("models", ScalerFixture.METRIC), "chat");

    assertThatExceptionOfType(ExecutionException.class)
        .isThrownBy(() -> next(stream))
        .satisfies(
            e ->
                assertThat(Status.fromThrowable(e.getCause()).getCode())
                    .isEqualTo(Status.Code.NOT_FOUND));
  }

  @Test
  void tooManyStreamsAreRefusedUntilOneEnds() throws Exception {
    scaler.serve(1_000);
    var keda = scaler.operator();
    var other = scaler.operator();
    var streams = new ArrayList<Iterator<byte[]>>();
    for (int i = 0; i < 2; i++) {
      streams.add(other.streamIsActive(refOf("chat")));
      assertThat(next(streams.get(i))).isTrue();
    }

    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(() -> keda.streamIsActive(refOf("chat")).next())
        .satisfies(
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED))
        .withMessageContaining("2 streams of triggers of type external-push are open already");
    assertThat(keda.isActive(refOf("chat"))).isTrue(); // other calls go on
    other.close();
    for (int attempt = 0; attempt < 100; attempt++) {
      try {
        assertThat(isTrue(keda.streamIsActive(refOf("chat")).next())).isTrue();
        return;
      } catch (StatusRuntimeException e) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
    throw new AssertionError("streams that are gone are still counted");
  }
}
