package io.prescale.controller.autoscaling;

import static io.prescale.controller.autoscaling.ScalingCycles.DAY;
import static io.prescale.controller.autoscaling.ScalingCycles.LEAD;
import static io.prescale.controller.autoscaling.ScalingCycles.START;
import static io.prescale.controller.autoscaling.ScalingCycles.at;
import static io.prescale.controller.autoscaling.ScalingCycles.cycle;
import static io.prescale.controller.autoscaling.ScalingCycles.scaled;
import static io.prescale.controller.autoscaling.ScalingCycles.series;
import static io.prescale.controller.autoscaling.ScalingCycles.settings;
import static io.prescale.controller.autoscaling.ScalingCycles.state;
import static io.prescale.controller.autoscaling.ScalingCycles.wave;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import io.prescale.controller.autoscaling.Trust.State;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** What another process makes of a metric that was saved. */
class SavedMetricTest {
  private static final TargetSettings SETTINGS = settings(Duration.ofMinutes(1));

  /** Three days, and what comes afterwards. */
  private static final double[] DEMAND = wave(4 * DAY, DAY, 5);

  private static final int KNOWN = 3 * DAY;

  @Test
  void aNewLeaderGoesOnWithoutHistoryOrFit() {
    var first = learned();
    var saved = first.save("requests").orElseThrow();
    int pause = 200;
    var second = fresh(SavedMetricTest::refused);

    assertThat(second.resume("requests", saved, at(pause))).isEmpty();
    assertThat(second.observedUntil("requests")).isEqualTo(START);

    for (int minute = 1; minute < pause; minute++) {
      tick(first, minute, minute);
    }
    var went = tick(first, pause, pause).metrics().getFirst();
    var resumed = tick(second, 1, pause).metrics().getFirst();
    assertThat(resumed.modelFittedAt()).isEqualTo(went.modelFittedAt()).isPresent();
    assertThat(resumed.trust().state()).isEqualTo(State.CLOSED);
    assertThat(resumed.decision().orElseThrow().reason()).isEqualTo(Reason.FORECAST);
    assertThat(resumed.trust().samples())
        .as("but for the forecasts that were open")
        .isBetween(went.trust().samples() - 15, went.trust().samples());
    assertThat(value(resumed)).isCloseTo(value(went), within(0.05 * value(went)));
  }

  @Test
  void nothingIsSavedBeforeTheFirstRefit() {
    assertThat(cycle(SETTINGS).save("requests")).isEmpty();
  }

  /** A refit to the newest day may wait behind the first fits of many others. */
  @Test
  void whatARehearsalHasFittedIsSavedBeforeTheRefit() {
    var fits = new ArrayDeque<Runnable>();
    var first = fresh(fits::add);
    first.learn("requests", known());
    assertThat(first.save("requests")).isEmpty();
    fits.remove().run();
    tick(first, 1, 1);
    assertThat(fits).as("the refit").hasSize(1);

    var second = fresh(fits::add);
    assertThat(second.resume("requests", first.save("requests").orElseThrow(), at(2))).isEmpty();

    var resumed = tick(second, 2, 2).metrics().getFirst();
    assertThat(resumed.trust().state()).isEqualTo(State.CLOSED);
    assertThat(resumed.decision().orElseThrow().reason()).isEqualTo(Reason.FORECAST);
    assertThat(fits).as("the refits of both").hasSize(2);
  }

  @Test
  void aRefitIsDueWhenItWouldHaveBeen() {
    var saved = learned().save("requests").orElseThrow();
    var fits = new ArrayDeque<Runnable>();
    var second = fresh(fits::add);
    assertThat(second.resume("requests", saved, at(1))).isEmpty();

    tick(second, 1, 230);
    assertThat(fits).isEmpty();
    tick(second, 231, 250);
    assertThat(fits).as("four hours after the last one").hasSize(1);
  }

  @Test
  void theShareOfTimeInShortageGoesOn() {
    assertThat(shortShareAfterHalfAnHour(scaled(1, LEAD)))
        .as("half an hour in four days but its first lead time, above the budget of 0.5 %")
        .isCloseTo(0.005 + 24.0 / (4 * DAY), within(0.0001));
  }

  @Test
  void shortagesOfReplicasThatNoHpaScalesByTheMetricDoNotCount() {
    assertThat(shortShareAfterHalfAnHour(state(1, LEAD))).isEqualTo(0.005);
  }

  private static double shortShareAfterHalfAnHour(ReplicaState state) {
    var cycle = learned();
    for (int minute = 1; minute <= 30; minute++) {
      double demand = 100 * Math.pow(1.2, minute); // more than was asked for a lead time before
      Ticks.tick(cycle, at(minute), ScalingCycles.reading(at(minute), demand), state);
    }
    var saved = cycle.save("requests").orElseThrow();
    var read =
        (SavedMetric.Read.Ok)
            SavedMetric.read(saved, SETTINGS.forecast(), SETTINGS.risk().operatingLevel(), at(30));
    return read.metric().shortShare().orElseThrow();
  }

  @Test
  void whatIsOfAnotherTimeOrTaskIsRefused() {
    var saved = learned().save("requests").orElseThrow();

    assertThat(fresh(Runnable::run).resume("requests", saved, at(-1)).orElseThrow())
        .contains("in the future");
    assertThat(fresh(Runnable::run).resume("requests", saved, at(DAY + 1)).orElseThrow())
        .contains("too long ago");
    assertThat(
            new ScalingCycle(
                    settings(Duration.ofMinutes(2)), LeadTime.declared(LEAD), START, Runnable::run)
                .resume("requests", saved, at(1))
                .orElseThrow())
        .contains("steps");
  }

  @Test
  void damagedBytesAreRefusedOrGoOnAsAForecaster() {
    var saved = learned().save("requests").orElseThrow();
    var random = new SplittableRandom(7);
    var damaged = new ArrayList<byte[]>(List.of(new byte[0], new byte[] {9}, new byte[400]));
    for (int i = 0; i < 300; i++) {
      var copy = Arrays.copyOf(saved, i % 3 == 0 ? random.nextInt(saved.length) : saved.length);
      for (int flips = random.nextInt(1, 4); flips > 0 && copy.length > 0; flips--) {
        copy[random.nextInt(Math.min(copy.length, i % 2 == 0 ? 200 : copy.length))] ^=
            (byte) (1 << random.nextInt(8));
      }
      damaged.add(copy);
    }
    int refused = 0;
    for (var bytes : damaged) {
      var second = fresh(Runnable::run);
      if (second.resume("requests", bytes, at(1)).isPresent()) {
        refused++;
        assertThat(second.observedUntil("requests")).isEqualTo(START);
      } else {
        assertThat(value(tick(second, 1, 2).metrics().getFirst())).isFinite().isPositive();
      }
    }
    assertThat(refused).isGreaterThan(200).isLessThan(damaged.size());
  }

  private static ScalingCycle learned() {
    var cycle = cycle(SETTINGS);
    cycle.learn("requests", known());
    return cycle;
  }

  private static TimeSeries known() {
    return series(START.minus(Duration.ofMinutes(KNOWN)), Arrays.copyOf(DEMAND, KNOWN));
  }

  private static ScalingCycle fresh(Executor fits) {
    return new ScalingCycle(SETTINGS, LeadTime.declared(LEAD), START, fits);
  }

  private static void refused(Runnable fit) {
    throw new AssertionError("nothing has to be fitted: " + fit);
  }

  private static CycleResult tick(ScalingCycle cycle, int from, int to) {
    return Ticks.tick(cycle, at(to), read(from, to), state(30, LEAD));
  }

  /** The samples of these minutes. */
  private static Reading read(int from, int to) {
    var samples = new ArrayList<Sample>();
    for (int minute = from; minute <= to; minute++) {
      samples.add(new Sample(at(minute), DEMAND[KNOWN + minute - 1]));
    }
    return new Reading.Observed(samples);
  }

  private static double value(MetricResult metric) {
    return metric.served().orElseThrow().value();
  }
}
