package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LendersTest {
  private static final int WEEK = 7 * 24;
  private final Lenders lenders = new Lenders();

  @Test
  void newTargetsBorrowFromTheirNamespaceOnly() {
    var ofChat = lenders.of("chat");
    lenders.learned(resource("chat", "a"), Stream.of(history(WEEK), history(WEEK + 5)));
    lenders.learned(resource("search", "b"), Stream.of(history(WEEK)));

    assertThat(ofChat.get().size()).isEqualTo(2);
    assertThat(lenders.of("search").get().size()).isEqualTo(1);
    assertThat(lenders.of("other").get().isEmpty()).isTrue();
  }

  @Test
  void aTargetIsReplacedByItsNewestWeekAndForgottenWhenItGoes() {
    lenders.learned(resource("chat", "a"), Stream.of(history(WEEK)));
    lenders.learned(resource("chat", "a"), Stream.of(history(WEEK)));
    assertThat(lenders.of("chat").get().size()).isEqualTo(1);
    lenders.forget("a");
    lenders.forget("never known");
    assertThat(lenders.of("chat").get().isEmpty()).isTrue();
  }

  @Test
  void lessThanAWeekIsNotLent() {
    lenders.learned(resource("chat", "a"), Stream.of(history(WEEK - 1)));
    assertThat(lenders.of("chat").get().isEmpty()).isTrue();

    lenders.learned(resource("chat", "a"), Stream.of(history(WEEK)));
    lenders.learned(resource("chat", "a"), Stream.of(history(WEEK - 1)));
    assertThat(lenders.of("chat").get().isEmpty()).as("the week before is still lent").isFalse();
  }

  @Test
  void memoryIsBoundedAndTheLargestNamespaceGivesWay() {
    for (int i = 0; i < 207; i++) {
      lenders.learned(resource("many", "uid-" + i), Stream.of(weekOfMinutes()));
    }
    assertThat(lenders.of("many").get().size()).isEqualTo(200);

    lenders.learned(resource("few", "a"), Stream.of(weekOfMinutes(), weekOfMinutes()));

    assertThat(lenders.of("few").get().size()).isEqualTo(2);
    assertThat(lenders.of("many").get().size()).isEqualTo(198);
  }

  @Test
  void targetsOfOtherReplicasAreForgotten() {
    lenders.learned(resource("chat", "a"), Stream.of(history(WEEK)));
    lenders.learned(resource("chat", "b"), Stream.of(history(WEEK)));
    lenders.forgetWhere("a"::equals);
    assertThat(lenders.of("chat").get().size()).isEqualTo(1);
  }

  private static PredictiveHPA resource(String namespace, String uid) {
    var resource = new PredictiveHPA();
    resource.setMetadata(
        new ObjectMetaBuilder().withNamespace(namespace).withName(uid).withUid(uid).build());
    return resource;
  }

  private static TimeSeries history(int hours) {
    return history(hours, Duration.ofHours(1));
  }

  private static TimeSeries weekOfMinutes() {
    return history(60 * WEEK, Duration.ofMinutes(1));
  }

  private static TimeSeries history(int steps, Duration step) {
    double[] values = new double[steps];
    Arrays.fill(values, 3);
    return TimeSeries.of(Instant.EPOCH, step, values);
  }
}
