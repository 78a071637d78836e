package io.prescale.controller.simulation.report;

import static io.prescale.controller.simulation.report.Results.about;
import static io.prescale.controller.simulation.report.Results.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.simulation.replay.PolicyOutcome;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CostChartTest {

  private static final PolicyOutcome CLAIRVOYANT = outcome("clairvoyant", 0, 100);

  @ParameterizedTest
  @ValueSource(doubles = {340, 860})
  void drawsEveryPolicyInsideTheChart(double width) {
    PolicyOutcome[] outcomes =
        Stream.concat(
                IntStream.range(0, 12)
                    .mapToObj(i -> outcome("policy " + i, 0.001 * i * i, 90 + 13 * i)),
                Stream.of(CLAIRVOYANT))
            .toArray(PolicyOutcome[]::new);

    String svg = svg(width, outcomes);

    assertThat(numbers(svg, "<circle cx=\"([^\"]+)\""))
        .hasSize(13)
        .allMatch(x -> x >= 60 && x <= width);
    assertThat(numbers(svg, " cy=\"([^\"]+)\"")).hasSize(13).allMatch(y -> y >= 10 && y <= 400);
  }

  @Test
  void cheaperIsFurtherLeftAndLessOverloadIsLower() {
    String svg = svg(860, outcome("dear", 0.001, 200), outcome("cheap", 0.05, 120), CLAIRVOYANT);
    // The first is drawn last, on top.
    List<Double> x = numbers(svg, "<circle cx=\"([^\"]+)\"");
    List<Double> y = numbers(svg, " cy=\"([^\"]+)\"");

    assertThat(x.get(0)).isLessThan(x.get(1));
    assertThat(x.get(1)).isLessThan(x.get(2));
    assertThat(y.get(0)).isGreaterThan(y.get(2));
    assertThat(y.get(2)).isGreaterThan(y.get(1));
  }

  @Test
  void theLineLeavesOutWhoIsBeaten() {
    String svg =
        svg(
            860,
            outcome("best", 0.01, 120),
            outcome("beaten", 0.02, 130),
            outcome("calm", 0.001, 150),
            CLAIRVOYANT);

    assertThat(svg).containsPattern("class=\"frontier\" d=\"M[\\d.]+ [\\d.]+H[\\d.]+V[\\d.]+\"");
  }

  @Test
  void describesItsPoints() {
    assertThat(svg(340, outcome("Prescale", 0.0031, 127), CLAIRVOYANT))
        .contains(
            "aria-label=\"Cost against overloaded time. 2, clairvoyant: 0 % of the time overloaded"
                + " at 1.00 ×; 1, Prescale: 0.31 % of the time overloaded at 1.27 ×.\"");
  }

  @Test
  void leavesOutWhatIsUnknown() {
    String svg =
        svg(860, outcome("unknown", Double.NaN, 120), outcome("x", 0, Double.NaN), CLAIRVOYANT);

    assertThat(svg).contains(">3<").doesNotContain("NaN").doesNotContain("unknown");
  }

  @Test
  void longNamesAreShortened() {
    assertThat(svg(860, outcome("😀".repeat(500), 0.01, 120), CLAIRVOYANT))
        .contains("😀".repeat(53) + "…</text>");
  }

  private static String svg(double width, PolicyOutcome... outcomes) {
    return new CostChart(Results.of(outcomes), about(outcomes[0].policy()), width).svg().toString();
  }

  private static List<Double> numbers(String svg, String pattern) {
    return Pattern.compile(pattern)
        .matcher(svg)
        .results()
        .map(found -> Double.valueOf(found.group(1)))
        .toList();
  }
}
