package io.prescale.controller.simulation.replay;

import static io.prescale.controller.simulation.replay.Demands.DAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.forecasting.Fit;
import io.prescale.forecasting.FittedForecaster;
import io.prescale.forecasting.Forecaster;
import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HoltWintersOnDemandTest {

  private final List<TimeSeries> histories = new ArrayList<>();

  @Test
  void servesTheHighestForecastOfTheMinutesAhead() {
    double[] observed = Demands.of(3 * DAY, i -> i % DAY);
    double[] served = served(new Yesterday(), observed, 10);

    assertThat(served[2 * DAY + 100]).isEqualTo(109);
    assertThat(served[3 * DAY - 1]).isEqualTo(DAY - 1);
  }

  @Test
  void neverServesLessThanThereIsNow() {
    double[] observed = Demands.of(3 * DAY, i -> i < 2 * DAY + 5 ? 10 : 50);

    assertThat(served(new Yesterday(), observed, 10)[2 * DAY + 6]).isEqualTo(50);
  }

  @Test
  void isReactiveUntilThereIsAModel() {
    double[] observed = Demands.wave(3 * DAY, DAY, 1);
    double[] served = served(new Yesterday(), observed, 10);

    assertThat(Arrays.copyOfRange(served, 1, 2 * DAY))
        .containsExactly(Arrays.copyOf(observed, 2 * DAY - 1));
    assertThat(histories).hasSize(2);

    double[] refused = served(new Refusing(), observed, 10);
    assertThat(Arrays.copyOfRange(refused, 1, refused.length))
        .containsExactly(Arrays.copyOf(observed, observed.length - 1));
  }

  @Test
  void learnsAnewEveryTwelveHoursFromTheLastFourDays() {
    double[] observed = Demands.wave(6 * DAY, DAY, 1);
    served(new Yesterday(), observed, 10);

    assertThat(histories).hasSize(8);
    assertThat(histories.getFirst().size()).isEqualTo(2 * DAY);
    assertThat(histories.getLast().size()).isEqualTo(4 * DAY);
    assertThat(histories.getLast().start()).isEqualTo(Instant.EPOCH.plus(Duration.ofHours(36)));
  }

  @Test
  void keepsForecastingThroughAnOutage() {
    double[] observed = Demands.of(3 * DAY, i -> i % DAY);
    Arrays.fill(observed, 2 * DAY + 50, 2 * DAY + 200, Double.NaN);

    assertThat(served(new Yesterday(), observed, 10)[2 * DAY + 100]).isEqualTo(109);
  }

  @Test
  void looksAtLeastOneMinuteAhead() {
    assertThatThrownBy(() -> new HoltWintersOnDemand(1, new Yesterday(), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static double[] served(Forecaster forecaster, double[] observed, int minutesAhead) {
    var policy = new HoltWintersOnDemand(0.8, forecaster, minutesAhead);
    return Demands.of(
        observed.length,
        minute -> policy.next(Views.at(minute, observed)).value().orElse(Double.NaN));
  }

  /** Expects what there was a day before. */
  private final class Yesterday implements Forecaster {
    @Override
    public Fit fit(TimeSeries history, List<Season> seasons) {
      histories.add(history);
      var values = new ArrayList<>(Arrays.stream(history.toArray()).boxed().toList());
      return new Fit.Fitted(new YesterdayModel(values));
    }
  }

  private record YesterdayModel(List<Double> seen) implements FittedForecaster {
    @Override
    public void observe(double value) {
      seen.add(value);
    }

    @Override
    public double[] path(int steps) {
      return IntStream.range(0, steps).mapToDouble(i -> seen.get(seen.size() - DAY + i)).toArray();
    }
  }

  private static final class Refusing implements Forecaster {
    @Override
    public Fit fit(TimeSeries history, List<Season> seasons) {
      return new Fit.Refused("on purpose");
    }
  }
}
