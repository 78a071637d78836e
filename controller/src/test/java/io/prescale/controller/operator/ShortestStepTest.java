package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.TargetSettings;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often a PredictiveHPA may tick, by what it asks for each time. */
class ShortestStepTest {
  private final ShortestStep shortest = new ShortestStep(Duration.ofSeconds(10));

  @ParameterizedTest
  @CsvSource({"1, 0, 10", "8, 0, 10", "1, 4, 10", "2, 4, 20", "8, 1, 20", "8, 2, 30", "8, 4, 50"})
  void eachEightQueriesNeedAShortestStep(int metrics, int leading, int seconds) {
    assertThatCode(() -> shortest.require(settings(metrics, leading, seconds)))
        .doesNotThrowAnyException();

    var refusal = refusal(settings(metrics, leading, seconds - 1));
    assertThat(refusal.reason()).isEqualTo(ConditionReason.InvalidSpec);
    assertThat(refusal).hasMessageContaining("write %d s or more".formatted(seconds));
  }

  @Test
  void theUsualStepIsLongEnoughForAsMuchAsThereCanBe() {
    var usual = settings(8, 4, (int) ForecastSettings.defaults().step().toSeconds());

    assertThatCode(() -> shortest.require(usual)).doesNotThrowAnyException();
  }

  @Test
  void theRefusalCountsWhatIsAskedFor() {
    assertThat(refusal(settings(8, 4, 10)))
        .hasMessage(
            "spec.forecast.step is 10 s; write 50 s or more for 40 metrics and leading series, or"
                + " ask an administrator for a shorter --shortest-step of the controller,"
                + " shortestStep of the chart.");
    assertThat(refusal(settings(8, 0, 9))).hasMessageContaining("write 10 s or more, or ask");
  }

  private NotReady refusal(TargetSettings settings) {
    return catchThrowableOfType(NotReady.class, () -> shortest.require(settings));
  }

  private static TargetSettings settings(int metrics, int leading, int stepSeconds) {
    var like = TargetSettings.of(new MetricSettings("load", 1));
    var series = IntStream.range(0, leading).mapToObj(i -> "leading-" + i).toList();
    var forecast = like.forecast();
    return new TargetSettings(
        IntStream.range(0, metrics)
            .mapToObj(i -> new MetricSettings("load-" + i, 1, series))
            .toList(),
        like.hpa(),
        like.risk(),
        new ForecastSettings(
            Duration.ofSeconds(stepSeconds),
            forecast.window(),
            Duration.ofDays(1),
            forecast.refitEvery(),
            forecast.zone(),
            forecast.calendar(),
            forecast.seed(),
            forecast.members()),
        like.timeToLive(),
        like.utilization(),
        like.riskAtZero(),
        like.schedules());
  }
}
