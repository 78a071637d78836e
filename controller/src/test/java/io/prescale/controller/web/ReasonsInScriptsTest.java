package io.prescale.controller.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.ScalingDecision.Reason;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page and the report of a replay have words for each reason of a decision. */
class ReasonsInScriptsTest {
  private static String script(String path) throws IOException {
    try (var script = ReasonsInScriptsTest.class.getResourceAsStream(path)) {
      return new String(Objects.requireNonNull(script, path).readAllBytes(), UTF_8);
    }
  }

  @ParameterizedTest
  @EnumSource
  void thePageHasThem(Reason reason) throws IOException {
    assertThat(script("/web/script/words.js")).contains("\n  " + reason + ": \"");
  }

  /** A replay has one leader. */
  @ParameterizedTest
  @EnumSource(names = "HANDED_OVER", mode = EnumSource.Mode.EXCLUDE)
  void theReportHasThem(Reason reason) throws IOException {
    assertThat(script("/io/prescale/controller/simulation/report/script/why.js"))
        .contains("\n  " + reason + ": \"");
  }
}
