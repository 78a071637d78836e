package io.prescale.controller.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.plan.DemandAhead.Bounds;
import io.prescale.controller.plan.PastWeeks;
import io.prescale.controller.plan.WeekDraws;
import io.prescale.controller.plan.WeeksAhead;
import io.prescale.controller.plan.cluster.CardsThere.Count;
import io.prescale.controller.plan.live.WeeksPlan;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeeksTextTest {
  private static final Instant FROM = Instant.parse("2026-11-26T20:15:00Z");

  /** One week, in which the fewest replicas are needed: 21 of half a card. */
  private static WeeksAhead need() {
    var demand = new double[3 * PastWeeks.STEPS];
    Arrays.fill(demand, 1);
    var weeks = ((PastWeeks.Known.Enough) PastWeeks.of(demand)).weeks();
    var draws = List.of(new WeekDraws(List.of(0), List.of(0), List.of(0.0), List.of()));
    var services =
        List.of(new WeeksAhead.Service(weeks, List.of(new Bounds(PastWeeks.STEPS, 21, 99)), 0.5));
    return WeeksAhead.of(services, draws, 1);
  }

  private static WeeksText text(WeeksPlan.Row... rows) {
    return new WeeksText(
        new WeeksPlan(FROM, 1, List.of(rows), List.of("Of a/b, little is known.")),
        List.of(90),
        90);
  }

  private static WeeksPlan.Row row(Count there, String... models) {
    return new WeeksPlan.Row(List.of(models), List.of("team/chat", "team/code"), there, need());
  }

  @Test
  void saysWhatOthersHoldAndHowManyAreMissing() {
    assertThat(text(row(new Count(12, 6, 2), "A", "B")).lines())
        .containsExactly(
            "Plan from Thu 26 Nov 20:15 UTC for 1 week: cards that suffice for a week's highest"
                + " quarter of an hour.",
            "",
            "                                     others              too few",
            "cards and services            there    hold  until  P90  by then",
            "A or B: team/chat, team/code     12       6  3 Dec   11    100 %",
            "",
            "Of a/b, little is known.",
            "For a risk of 10 % in the next week: 11 cards of A or B; 12 are there, of which others"
                + " hold 6 and could give back 2: 3 more are needed.");
  }

  @Test
  void saysThatRowsShareCardsAndThatAllSuffice() {
    var lines = text(row(new Count(20, 0, 0), "A"), row(new Count(1, 0, 0), "A", "B")).lines();

    assertThat(lines)
        .contains(
            "Rows that name the same cards count them each: what one service gets, another lacks.",
            "For a risk of 10 % in the next week: 11 cards of A; 20 are there.",
            "For a risk of 10 % in the next week: 11 cards of A or B; 1 is there: 10 more are"
                + " needed.");
  }
}
