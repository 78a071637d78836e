package io.prescale.controller.plan.live;

import io.prescale.controller.plan.WeeksAhead;
import io.prescale.controller.plan.cluster.CardsThere;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;

/**
 * The cards that services will need in coming weeks, and those that there are.
 *
 * @param from beginning of the first week
 * @param notes a sentence for each service of which is not known enough
 */
public record WeeksPlan(Instant from, int weeks, List<Row> rows, List<String> notes) {
  public static final int MOST_WEEKS = 12;

  public WeeksPlan {
    rows = List.copyOf(rows);
    notes = List.copyOf(notes);
    if (weeks < 1 || weeks > MOST_WEEKS) {
      throw new IllegalArgumentException("a plan of %d weeks".formatted(weeks));
    }
  }

  /**
   * The services that could use the same models of cards.
   *
   * @param models empty where no card could serve them
   * @param services their names
   */
  public record Row(
      List<String> models, List<String> services, CardsThere.Count there, WeeksAhead need) {
    public Row {
      models = List.copyOf(models);
      services = List.copyOf(services);
    }

    /** The models in words. */
    public String cards() {
      return models.isEmpty() ? "a model that no ready node has" : String.join(" or ", models);
    }

    /** The cards that suffice in a week, from 1 on, with this probability. */
    public double inWeek(int week, double level) {
      return need.inWeek(week, level);
    }

    /** The cards that suffice in all of the first weeks with this probability. */
    public double within(int weeks, double level) {
      return need.within(weeks, level);
    }

    /** The probability that what others do not keep is too little in any of the first weeks. */
    public double risk(int weeks) {
      return need.probabilityAbove(weeks, there.left());
    }
  }

  /** The end of a week, from 1 on. */
  public Instant end(int week) {
    return from.plus(Duration.ofDays(7L * week));
  }

  /** Whether services of different rows could use the same cards. */
  public boolean shareCards() {
    var seen = new HashSet<String>();
    return rows.stream()
        .anyMatch(
            row -> {
              boolean isShared = !Collections.disjoint(seen, row.models());
              seen.addAll(row.models());
              return isShared;
            });
  }
}
