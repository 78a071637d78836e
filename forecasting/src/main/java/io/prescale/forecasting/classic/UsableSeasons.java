package io.prescale.forecasting.classic;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingDouble;

import io.prescale.forecasting.Season;
import io.prescale.forecasting.TimeSeries;
import java.util.List;

/** Selects the seasons that a history is long enough to learn. */
final class UsableSeasons {
  private static final int FEWEST_CYCLES = 2;

  private UsableSeasons() {}

  /** The strongest seasons that the history covers at least twice, the shortest first. */
  static List<Season> of(TimeSeries history, List<Season> seasons, int most) {
    return seasons.stream()
        .filter(season -> cycles(history, season) >= FEWEST_CYCLES)
        .filter(season -> season.period().compareTo(history.step()) > 0)
        .sorted(comparingDouble(Season::strength).reversed())
        .limit(most)
        .sorted(comparing(Season::period))
        .toList();
  }

  /** How many whole cycles of a season the history covers. */
  static long cycles(TimeSeries history, Season season) {
    return history.size() * history.step().toMillis() / season.period().toMillis();
  }
}
