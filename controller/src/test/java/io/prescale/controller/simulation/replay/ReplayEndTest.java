package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a replay ends: with all minutes passed, by an interrupt, or by a failure. */
class ReplayEndTest {
  private static final Replay.Progress UNWATCHED = (minutes, ofMinutes) -> {};

  @Test
  void progressEndsWithAllMinutesOfAllPolicies() throws Exception {
    var passed = new ArrayList<Long>();

    replay(
        Demands.of(1000, i -> 10),
        (minutes, ofMinutes) -> {
          assertThat(ofMinutes).isEqualTo(3000);
          passed.add(minutes);
        },
        new Reactive(0.8),
        new Reactive(0.6),
        new Reactive(0.5));

    assertThat(passed).isSorted().doesNotHaveDuplicates().endsWith(3000L).hasSizeBetween(100, 600);
  }

  @Test
  @Timeout(60)
  void anInterruptStopsEveryPolicy() {
    var asked = new AtomicInteger();
    Thread main = Thread.currentThread();
    ReplayPolicy interrupting =
        new Rule(
            "interrupting",
            view -> {
              if (view.minute() == 100) {
                main.interrupt();
              }
              return Served.of(1);
            });
    ReplayPolicy patient =
        new Rule(
            "patient",
            view -> {
              asked.incrementAndGet();
              try {
                Thread.sleep(1);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return Served.of(1);
            });

    assertThatThrownBy(() -> replay(Demands.of(500_000, i -> 10), UNWATCHED, interrupting, patient))
        .isInstanceOf(InterruptedException.class);

    assertThat(asked.get()).isLessThan(500_000);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void aPolicyThatFailsEndsTheReplay() {
    ReplayPolicy broken =
        new Rule(
            "broken",
            view -> {
              throw new UnsupportedOperationException("on purpose");
            });

    assertThatThrownBy(() -> replay(Demands.of(100, i -> 10), UNWATCHED, new Reactive(1), broken))
        .isInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("on purpose");
  }

  @Test
  void twoPoliciesMayNotShareAName() {
    assertThatThrownBy(
            () -> replay(Demands.of(100, i -> 10), UNWATCHED, new Reactive(1), new Reactive(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reactive HPA at 100 %");
  }

  private static void replay(double[] demand, Replay.Progress progress, ReplayPolicy... policies)
      throws InterruptedException {
    var trace = TimeSeries.of(Instant.EPOCH, Duration.ofMinutes(1), demand);
    var settings = ReplaySettings.forCapacity(10).withSkip(Duration.ZERO);
    ((Replay) Replay.of(trace, settings)).run(List.of(policies), progress);
  }
}
