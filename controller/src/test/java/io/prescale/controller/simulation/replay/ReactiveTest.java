package io.prescale.controller.simulation.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ReactiveTest {

  private final Reactive reactive = new Reactive(0.8);

  @Test
  void servesTheLastCompleteMinute() {
    assertThat(reactive.next(Views.after(4, 7)).value()).hasValue(7);
  }

  @Test
  void hasNothingToServeWhenThatIsMissing() {
    assertThat(reactive.next(Views.after(4, Double.NaN)).value()).isEmpty();
    assertThat(reactive.next(Views.after()).value()).isEmpty();
  }

  @Test
  void saysAtWhichTargetItRuns() {
    assertThat(reactive.name()).isEqualTo("reactive HPA at 80 %");
    assertThat(reactive.targetUtilization()).isEqualTo(0.8);
  }

  @Test
  void namesDoNotDependOnTheLocale() {
    var before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(reactive.name()).isEqualTo("reactive HPA at 80 %");
      assertThat(SeasonalNaiveWithLead.mimir(0.8).name()).isEqualTo("Mimir's rule at 80 %");
      assertThat(
              new SeasonalNaiveWithLead(0.8, Duration.ofMinutes(30), Duration.ofMinutes(1)).name())
          .isEqualTo("last week 30 min early, maximum of 1 min, at 80 %");
    } finally {
      Locale.setDefault(before);
    }
  }
}
