package io.prescale.controller.autoscaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prescale.controller.autoscaling.Breaker.Forecast;
import io.prescale.controller.autoscaling.Trust.Reason;
import io.prescale.controller.autoscaling.Trust.State;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A noisy daily wave whose windows rise 5 above the last value; a good forecast knows that. */
class BreakerTest {
  private static final double LEVEL = 0.95;

  private final Breaker breaker = new Breaker(LEVEL);
  private final SplittableRandom random = new SplittableRandom(11);
  private int minute;

  @Test
  void learnsBeforeItTrusts() {
    settle(59, 1, 1);
    assertThat(breaker.trust().state()).isEqualTo(State.LEARNING);
    assertThat(breaker.trust().message())
        .isEqualTo(
            "59 of 60 forecasts have been settled; until then the newest value is followed.");
    assertThat((breaker.trust().state() == State.CLOSED)).isFalse();
    settle(1, 1, 1);
    assertThat(breaker.trust().state()).isEqualTo(State.CLOSED);
  }

  @Test
  void nothingIsKnownBeforeTheFirst() {
    Trust trust = breaker.trust();
    assertThat(trust.samples()).isZero();
    assertThat(trust.skill()).isEmpty();
    assertThat(trust.coverage95()).isEmpty();
  }

  @Test
  void goodForecastsAreTrustedForDays() {
    settle(5000, 1, 1);
    Trust trust = breaker.trust();
    assertThat(trust.state()).isEqualTo(State.CLOSED);
    assertThat(trust.skill().orElseThrow()).isBetween(0.5, 1.0);
    assertThat(trust.error().orElseThrow()).as("2.5 of 65 to 145").isBetween(0.017, 0.038);
    assertThat(trust.coverage95().orElseThrow()).isCloseTo(0.95, within(0.03));
    assertThat(trust.coverage90().orElseThrow()).isCloseTo(0.9, within(0.03));
    assertThat(trust.reason()).isEmpty();
  }

  /** How many settled forecasts it takes, at most. */
  @ParameterizedTest
  @CsvSource({"3, 120", "2, 240", "0.5, 60", "0.8, 120"})
  void opensOnABrokenForecastAndClosesAgainByItself(double factor, int atMost) {
    settle(1440, 1, 1);
    assertThat((breaker.trust().state() == State.CLOSED)).isTrue();
    int took = 0;
    while ((breaker.trust().state() == State.CLOSED) && took < 5000) {
      settle(1, factor, 1);
      took++;
    }
    assertThat(took).isBetween(Breaker.BAD_IN_ROW, atMost);
    assertThat(breaker.trust().state()).isEqualTo(State.OPEN);
    assertThat(breaker.trust().reason()).isPresent();
    settle(500, factor, 1);
    assertThat((breaker.trust().state() == State.CLOSED)).isFalse();

    int until = 0;
    while (!(breaker.trust().state() == State.CLOSED) && until < 20_000) {
      settle(1, 1, 1);
      until++;
    }
    assertThat(until).as("closes within four memories").isLessThan(4 * Breaker.MEMORY);
    assertThat(breaker.trust().reason()).isEmpty();
  }

  @Test
  void aSingleBadHourDoesNotOpenIt() {
    settle(1440, 1, 1);
    settle(15, 0.5, 1);
    assertThat((breaker.trust().state() == State.CLOSED)).isTrue();
  }

  @Test
  void saysThatTheDayBeforeWasAsGood() {
    for (int i = 0; i < 1440; i++) {
      double truth = 100 + 10 * random.nextDouble();
      breaker.settle(
          truth, new Forecast(105, 111, 112, 112, 0.9 * truth, OptionalDouble.of(truth)));
      minute++;
    }
    assertThat(breaker.trust().reason()).hasValue(Reason.NO_BETTER_THAN_SEASONAL_NAIVE);
    assertThat(breaker.trust().message())
        .isEqualTo(
            "The day before is followed, or the newest value where that is higher: the day before"
                + " has lately done as well as the forecasts.");
    assertThat(breaker.prefersDayBefore()).isTrue();
  }

  @Test
  void prefersTheDayBeforeOnlyWhileItLosesLessThanTheNewestValue() {
    for (int i = 0; i < 1440; i++) {
      breaker.settle(100, new Forecast(90, 95, 99, 99, 60, OptionalDouble.of(95)));
    }
    assertThat(breaker.prefersDayBefore()).isTrue();
    for (int i = 0; i < 3 * Breaker.FAST_MEMORY; i++) {
      breaker.settle(10, new Forecast(90, 95, 99, 99, 10, OptionalDouble.of(95)));
    }
    assertThat(breaker.prefersDayBefore()).as("demand has gone").isFalse();
  }

  @Test
  void saysThatCoverageIsTooLow() {
    for (int i = 0; i < 1440; i++) {
      double truth = i % 3 == 0 ? 101 : 99.5;
      breaker.settle(truth, new Forecast(98, 99.9, 100, 100, 50, OptionalDouble.empty()));
      minute++;
    }
    assertThat(breaker.trust().reason()).hasValue(Reason.COVERAGE_TOO_LOW);
    assertThat(breaker.trust().message()).contains("only 66.7 % of the windows");
  }

  @Test
  void saysThatCoverageIsTooHigh() {
    for (int i = 0; i < 1440; i++) {
      breaker.settle(100, new Forecast(104, 105, 106, 106, 50, OptionalDouble.empty()));
      minute++;
    }
    assertThat(breaker.trust().reason()).hasValue(Reason.COVERAGE_TOO_HIGH);
  }

  @Test
  void constantDemandIsNoReasonToDistrust() {
    for (int i = 0; i < 1440; i++) {
      breaker.settle(100, new Forecast(100, 100, 100.5, 100.5, 100, OptionalDouble.of(100)));
      minute++;
    }
    assertThat(breaker.trust().state()).as(breaker.trust().toString()).isEqualTo(State.CLOSED);
  }

  @Test
  void staysClosedOnLossesThatAreTooSmallToMatterAndSaysThatTheyAreNoLower() {
    for (int i = 0; i < 1440; i++) {
      breaker.settle(100, new Forecast(100, 100, 100.5, 100.5, 100.01, OptionalDouble.of(100.01)));
    }
    assertThat(breaker.trust().skill().orElseThrow()).as("0.0005 is lost").isLessThan(-10);
    assertThat(breaker.trust().message())
        .isEqualTo(
            "Forecasts are acted on: their losses are no lower than those of the better"
                + " reference.");
  }

  @Test
  void zeroDemandIsNoReasonToFail() {
    for (int i = 0; i < 200; i++) {
      breaker.settle(0, new Forecast(0, 0, 0, 0, 0, OptionalDouble.of(0)));
      minute++;
    }
    assertThat(breaker.trust().skill()).hasValue(1);
  }

  @Test
  void judgesAnewByAllEvidence() {
    settle(300, 3, 1);
    assertThat(breaker.trust().state()).isEqualTo(State.OPEN);
    settle(1440, 1, 1);
    breaker.judgeAnew();
    assertThat(breaker.trust().state()).isEqualTo(State.CLOSED);
  }

  /** Forecasts of a load that rises by 0 to 10 within a window, multiplied with a factor. */
  private void settle(int count, double factor, double lastValueFactor) {
    for (int i = 0; i < count; i++) {
      double last = 100 + 50 * Math.sin(2 * Math.PI * minute / 1440.0);
      double truth = last + 10 * random.nextDouble();
      breaker.settle(
          truth,
          new Forecast(
              factor * (last + 5),
              factor * (last + 9),
              factor * (last + 9.5),
              factor * (last + 9.5),
              lastValueFactor * last,
              OptionalDouble.of(last + 20 * random.nextDouble() - 5)));
      minute++;
    }
  }
}
