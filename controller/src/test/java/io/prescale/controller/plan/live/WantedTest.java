package io.prescale.controller.plan.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.BookingReason;
import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.api.v1alpha1.Specs;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.DemandAhead.Bounds;
import io.prescale.controller.plan.ReplicaNeed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WantedTest {
  private static final Instant NOW = Instant.parse("2026-11-24T06:00:00Z");

  /** Two replicas, and five from 08:00 to 09:30. */
  private static final ServiceForecasts.Known MORNING =
      known(
          new ServiceForecast(
              DemandAhead.of(
                  NOW,
                  ServiceForecast.STEP,
                  96,
                  (h, _) -> h >= 8 && h < 14 ? 5 : 2,
                  List.of(new Bounds(96, 1, 9))),
              Map.of(),
              Map.of(),
              19));

  private static ServiceForecasts.Known known(ServiceForecast forecast) {
    return new ServiceForecasts.Known(Optional.of(forecast), Optional.empty(), false);
  }

  private static PredictiveHPA chat(Mode mode, BreakerState... breakers) {
    var resource = new PredictiveHPA();
    resource.getMetadata().setNamespace("models");
    resource.getMetadata().setName("chat");
    resource.setSpec(
        Specs.of(new ScaleTargetRef("apps/v1", "Deployment", "chat"), 1, 9, mode, List.of()));
    var condition =
        new StatusCondition(
            ConditionType.ForecastTrusted,
            ConditionStatus.False,
            1L,
            NOW,
            ConditionReason.NoSkill,
            "tokens: no better than the last value.");
    resource.setStatus(
        new PredictiveHPAStatus(
            1L,
            mode,
            null,
            2,
            2,
            0,
            2,
            null,
            null,
            List.of(breakers).stream().map(BookedServices::metric).toList(),
            null,
            List.of(),
            List.of(condition),
            null,
            null,
            null,
            null));
    return resource;
  }

  @Test
  void aTrustedForecastIsBookedTheUsualLeadTimeAndTheWindowAhead() {
    var wanted = Wanted.of(chat(Mode.Active, BreakerState.Closed), true, MORNING, List.of(), NOW);

    assertThat(wanted.needs())
        .containsExactly(need("05:50", "12:00", 2), need("07:50", "09:30", 5));
    assertThat(wanted.status().reason()).isEqualTo(BookingReason.Booked);
    assertThat(wanted.status().replicas()).isEqualTo(5);
    assertThat(wanted.status().percent()).isEqualTo(100);
    assertThat(wanted.message())
        .isEqualTo(
            "Cards for up to 5 replicas are wanted from Tue 07:50 until Tue 09:30 UTC; that many"
                + " are needed with a probability of 100 %.");
  }

  private static ReplicaNeed need(String from, String until, int replicas) {
    return new ReplicaNeed(
        Instant.parse("2026-11-24T" + from + ":00Z"),
        Instant.parse("2026-11-24T" + until + ":00Z"),
        replicas,
        100);
  }

  @ParameterizedTest
  @EnumSource(names = {"Open", "Learning"})
  void aForecastThatTheHpaDoesNotFollowBooksNothing(BreakerState state) {
    var resource = chat(Mode.Active, BreakerState.Closed, state);

    var wanted = Wanted.of(resource, true, MORNING, said(), NOW);

    assertThat(wanted.needs()).isEmpty();
    assertThat(wanted.reason()).isEqualTo(BookingReason.ForecastNotTrusted);
    assertThat(wanted.message()).isEqualTo("tokens: no better than the last value.");
    assertThat(Wanted.mayBook(resource)).isFalse();
  }

  private static List<ReplicaNeed> said() {
    return List.of(need("07:55", "09:30", 5));
  }

  @Test
  void whatIsNotKnownOrNotToBeDoneBooksNothing() {
    var trusted = chat(Mode.Active, BreakerState.Closed);
    var unknown =
        new ServiceForecasts.Known(
            Optional.empty(), Optional.of("The newest demand is 20 min old."), false);

    assertThat(Wanted.of(trusted, true, unknown, said(), NOW))
        .isEqualTo(
            new Wanted(List.of(), BookingReason.NoForecast, "The newest demand is 20 min old."));
    assertThat(Wanted.of(trusted, false, MORNING, said(), NOW).reason())
        .isEqualTo(BookingReason.TargetNotBookable);
    assertThat(
            Wanted.of(chat(Mode.Shadow, BreakerState.Closed), true, MORNING, said(), NOW).reason())
        .isEqualTo(BookingReason.ShadowMode);
    var undecided = chat(Mode.Active);
    undecided.setStatus(null);
    assertThat(Wanted.of(undecided, true, MORNING, said(), NOW).message())
        .isEqualTo("Nothing was decided yet.");
    assertThat(Wanted.of(chat(Mode.Active), true, MORNING, said(), NOW).needs()).isEmpty();
  }

  @Test
  void aNightWithoutDemandNeedsNothing() {
    var idle =
        known(
            new ServiceForecast(
                DemandAhead.of(
                    NOW, Duration.ofMinutes(15), 2, (_, _) -> 0, List.of(new Bounds(2, 0, 9))),
                Map.of(),
                Map.of(),
                19));

    var wanted = Wanted.of(chat(Mode.Active, BreakerState.Closed), true, idle, said(), NOW);

    assertThat(wanted.reason()).isEqualTo(BookingReason.NothingNeeded);
    assertThat(wanted.status().replicas()).isNull();
    assertThat(Wanted.refused("x".repeat(9_999)).status().message()).hasSize(512);
  }
}
