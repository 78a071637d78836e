package io.prescale.controller.simulation.cards;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.simulation.cards.SharedCards.Happened.What;
import org.junit.jupiter.api.Test;

/** One day of the experiment in docs/benchmarks.md. */
class SharingTest {
  @Test
  void bookingAheadServesAsAReservationDoesAndLeavesNearlyAllToJobs() throws InterruptedException {
    var results = SharingExperiment.generated(2, 8, 4, 1).run();
    var alone = results.get(0);
    var reserved = results.get(1);
    var nothing = results.get(2);
    var atOnce = results.get(3);
    var waiting = results.get(4);
    var booked = results.get(5);
    var apart = results.get(6);

    assertThat(reserved.overloadedShare()).isEqualTo(alone.overloadedShare());
    assertThat(nothing.overloadedShare()).isGreaterThan(alone.overloadedShare() + 0.02);
    assertThat(waiting.overloadedShare()).isGreaterThan(alone.overloadedShare() + 0.005);
    assertThat(booked.overloadedShare() - alone.overloadedShare())
        .isLessThan((waiting.overloadedShare() - alone.overloadedShare()) / 3);
    assertThat(booked.overloadedShare()).isLessThanOrEqualTo(apart.overloadedShare());
    assertThat(booked.usedHours() + booked.vainHours()).isPositive();
    assertThat(booked.jobHours()).isGreaterThan(1.5 * reserved.jobHours());
    assertThat(booked.jobHours()).isGreaterThan(0.85 * nothing.jobHours());
    assertThat(booked.lostHours()).isZero();
    assertThat(atOnce.lostHours()).isPositive();
    assertThat(results)
        .allSatisfy(
            it ->
                assertThat(it.count(What.NOTIFIED))
                    .isGreaterThanOrEqualTo(it.count(What.SUSPENDED)));
  }
}
