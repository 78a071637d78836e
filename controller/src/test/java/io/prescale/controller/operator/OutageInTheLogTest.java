package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.ProgramLog;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the log has of an outage of the API server in which hundreds of requests fail. */
@Timeout(180)
class OutageInTheLogTest {
  @Test
  void eachKindOfWriteIsOneLineWhenItBeginsToFailAndOneWhenItSucceedsAgain() throws Exception {
    var log = ProgramLog.of(WritesWithoutServer.class);

    assertThat(log).contains("the end").doesNotContain("\tat ");
    assertThat(lines(log, "HPAs cannot be written"))
        .containsExactly(
            "HPAs cannot be written, first for team/chat-0: connection refused."
                + " Further failures are only counted.");
    assertThat(lines(log, "Values cannot be published"))
        .filteredOn(line -> line.contains("connection refused"))
        .hasSize(1);
    assertThat(lines(log, "Saved states cannot be written")).hasSize(1);
    assertThat(lines(log, "The Lease prescale/prescale")).hasSize(2);
    assertThat(lines(log, "The Lease prescale/prescale").getFirst())
        .isEqualTo(
            "The Lease prescale/prescale cannot be read or written: connection refused."
                + " Further failures are only counted.");
    assertThat(lines(log, "The Lease prescale/prescale").getLast())
        .matches(".* is read and written again, after ([4-9]|\\d\\d) failures within \\d+ s\\.");
    assertThat(log.lines()).hasSizeLessThan(10);
  }

  private static List<String> lines(String log, String beginning) {
    return log.lines()
        .filter(line -> line.contains(" - " + beginning))
        .map(line -> line.substring(line.indexOf(" - ") + 3))
        .toList();
  }
}
