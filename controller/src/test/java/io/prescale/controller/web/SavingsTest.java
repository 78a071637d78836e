package io.prescale.controller.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.web.Savings.Usage;
import io.prescale.controller.web.Savings.Week;
import java.util.List;
import org.junit.jupiter.api.Test;

class SavingsTest {
  @Test
  void sumsUpWhatIsJudgedAndCountsTheRest() {
    var weeks =
        List.<Week>of(
            new Week.Judged(new Usage(1, 100, 800), new Usage(30, 110, 880), true, true),
            new Week.Judged(new Usage(2, 10, 10), new Usage(5, 8, 8), false, false),
            new Week.TooShort(),
            new Week.Failed());

    assertThat(Savings.of(weeks, 6))
        .isEqualTo(new Savings(6, 2, 1, 1, 1, 1, new Usage(3, 110, 810), new Usage(35, 118, 888)));
  }

  @Test
  void nothingIsSavedBeforeAReplay() {
    assertThat(Savings.of(List.of(), 3))
        .isEqualTo(new Savings(3, 0, 0, 0, 0, 0, Usage.NONE, Usage.NONE));
  }
}
