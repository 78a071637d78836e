package io.prescale.controller.simulation.report;

import static io.prescale.controller.simulation.report.Results.about;
import static io.prescale.controller.simulation.report.Results.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.simulation.replay.PolicyRun;
import io.prescale.controller.simulation.replay.Quantiles;
import io.prescale.controller.simulation.replay.ReplayResult;
import io.prescale.controller.simulation.replay.Tick;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlReportTest {
  private static final double NAN = Double.NaN;

  @Test
  void sixteenDaysStayBelowFourMegabytes(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path file = folder.resolve("report.html");

    try (var out = Files.newBufferedWriter(file)) {
      HtmlReport.write(Results.sixteenDays(), about("Prescale"), out);
    }

    assertThat(Files.size(file)).isBetween(400_000L, 2_000_000L);
    assertThat(Files.readString(file)).startsWith("<!doctype html>").endsWith("</html>\n");
  }

  @Test
  void holdsTheMinutesOfTheResult() throws IOException, InterruptedException {
    ReplayResult result = Results.sixteenDays();

    JsonNode data = data(page(result, about("Prescale")));

    List<Tick> ticks = result.runs().getFirst().ticks();
    assertThat(data.get("start").asLong()).isEqualTo(Results.START.getEpochSecond());
    assertThat(data.get("minutes").asInt()).isEqualTo(23_040);
    assertThat(data.get("scoredFrom").asInt()).isEqualTo(11_520);
    assertThat(data.get("lead").asInt()).isEqualTo(5);
    assertThat(data.get("window").asInt()).isEqualTo(5);
    assertThat(data.get("zone").asText()).isEqualTo("UTC");
    assertColumn(data.get("demand"), ticks, t -> t.observed().orElse(NAN), 5e-4);
    JsonNode run = data.get("runs").get(0);
    assertColumn(run.get("served"), ticks, t -> t.served().orElse(NAN), 5e-4);
    assertColumn(run.get("p50"), ticks, t -> t.quantile(Quantiles::p50).orElse(NAN), 5e-4);
    assertColumn(run.get("p90"), ticks, t -> t.quantile(Quantiles::p90).orElse(NAN), 5e-4);
    assertColumn(run.get("p95"), ticks, t -> t.quantile(Quantiles::p95).orElse(NAN), 5e-4);
    assertColumn(run.get("p99"), ticks, t -> t.quantile(Quantiles::p99).orElse(NAN), 5e-4);
    assertThat(data.get("runs")).hasSize(7);
    for (int i = 0; i < 7; i++) {
      PolicyRun policy = result.runs().get(i);
      run = data.get("runs").get(i);
      assertThat(run.get("policy").asText()).isEqualTo(policy.outcome().policy());
      assertColumn(run.get("desired"), policy.ticks(), Tick::desiredReplicas, 0);
      assertColumn(run.get("ready"), policy.ticks(), Tick::readyReplicas, 0);
      assertThat(run.has("p50")).isEqualTo(i == 0);
    }
  }

  @Test
  void marksOverloadAndNeedFromExactNumbers() throws IOException, InterruptedException {
    ReplayResult result = Results.sixteenDays();
    JsonNode data = data(page(result, about("Prescale")));
    List<Tick> ticks = result.runs().getFirst().ticks();

    assertColumn(
        data.get("needed"),
        ticks,
        t -> t.observed().stream().map(d -> Math.max(1, Math.ceil(d / 40))).findFirst().orElse(NAN),
        0);
    boolean[] marked = new boolean[ticks.size()];
    JsonNode overloaded = data.get("runs").get(0).get("overloaded");
    for (int i = 0; i < overloaded.size(); i += 2) {
      for (int m = overloaded.get(i).asInt(); m < overloaded.get(i + 1).asInt(); m++) {
        marked[m] = true;
      }
    }
    for (int i = 0; i < marked.length; i++) {
      Tick tick = ticks.get(i);
      assertThat(marked[i])
          .as("minute %d", i)
          .isEqualTo(i >= 11_520 && tick.observed().orElse(0) > 40 * tick.readyReplicas());
    }
  }

  @Test
  void admitsItsOwnScriptsAndStylesAndNothingElse() throws Exception {
    String page = page(Results.oneHour(), about("clairvoyant"));

    assertThat(elements(page, "<script>(.*?)</script>")).hasSize(2);
    assertThat(elements(page, "<style>(.*?)</style>")).hasSize(2);
    String policy = elements(page, "Content-Security-Policy\" content=\"([^\"]*)\"").getFirst();
    assertThat(policy)
        .isEqualTo(
            "default-src 'none'; script-src %s %s; style-src %s %s; img-src data:; base-uri 'none'; form-action 'none'"
                .formatted(
                    hash(elements(page, "<script>(.*?)</script>").get(0)),
                    hash(elements(page, "<script>(.*?)</script>").get(1)),
                    hash(elements(page, "<style>(.*?)</style>").get(0)),
                    hash(elements(page, "<style>(.*?)</style>").get(1))));
    assertThat(page.indexOf("Content-Security-Policy")).isLessThan(page.indexOf("<style>"));
  }

  @Test
  void refersToNothingOutside() throws IOException, InterruptedException {
    String page = page(Results.oneHour(), about("clairvoyant"));
    String markup = page.replaceAll("(?s)<(script|style)[ >].*?</\\1>|<!--.*?-->", "");

    assertThat(elements(markup, "(?:src|href|action|data|srcset|poster)=\"([^\"#][^\"]*)\""))
        .allMatch(link -> link.startsWith("data:"))
        .hasSize(1);
    assertThat(markup)
        .doesNotContain(" style=")
        .doesNotContainPattern(" on[a-z]+=")
        .doesNotContain("<iframe");
    assertThat(page).doesNotContain("{{").contains("Permission is hereby granted");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "--><img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)",
        "' autofocus onfocus='alert(1)",
        "</title></style></textarea><svg onload=alert(1)>",
        "&lt;script&gt; & &amp; &#60;",
        "{{data}} {{policy}} $1 \\u003c ${x}",
        "sum(rate(http_requests_total{code=~\"5..\",path!=\"/a<b\"}[5m])) > 0",
        "\u202egnp.exe \u2028\u2029 \ud800 \0 \u001b[31m",
        ""
      })
  void everyTextStaysText(String hostile) throws IOException {
    var about =
        new ReportSubject(
            hostile,
            hostile,
            hostile,
            new Risk.ShortageCost(20),
            Optional.empty(),
            ZoneId.of("Europe/Berlin"),
            Instant.EPOCH);
    ReplayResult result = Results.of(outcome(hostile, 0.01, 120), outcome("clairvoyant", 0, 100));
    String harmless = page(result(result, "harmless"), about("harmless"));

    String page = page(result, about);

    assertThat(count(page, "<script")).isEqualTo(count(harmless, "<script"));
    assertThat(count(page, "</script")).isEqualTo(count(harmless, "</script"));
    assertThat(count(page, "<!--")).isEqualTo(count(harmless, "<!--"));
    assertThat(elements(page, "(<[a-zA-Z/!][^ >]*)"))
        .isEqualTo(elements(harmless, "(<[a-zA-Z/!][^ >]*)"));
    assertThat(page).contains("<h1><bdi>" + Markup.escaped(hostile) + "</bdi></h1>");
    assertThat(page).doesNotContain("\0").doesNotContain("\ud800 ");
    assertThat(data(page).get("runs").get(0).get("policy").asText())
        .isEqualTo(Markup.wellFormed(hostile));
    assertThat(data(page).get("zone").asText()).isEqualTo("Europe/Berlin");
  }

  private static ReplayResult result(ReplayResult like, String policy) {
    return Results.of(outcome(policy, 0.01, 120), like.runs().getLast().outcome());
  }

  @Test
  void aPolicyWithoutQuantilesHasNoForecast() throws IOException, InterruptedException {
    String page = page(Results.oneHour(), about("clairvoyant"));

    assertThat(page).contains("None of the policies forecasts quantiles.");
    assertThat(data(page).get("runs").get(0).has("p50")).isFalse();
  }

  @Test
  void quantilesThatAreNeverScoredAreDashes() throws IOException, InterruptedException {
    ReplayResult result = Results.oneHour(new Results.Speechless());

    String page = page(result, about("speechless"));

    assertThat(data(page).get("runs").get(0).get("p95").asText()).isEqualTo("x55,1x5");
    assertThat(page).contains("P95: no forecast could be scored.").doesNotContain("NaN ");
    assertThat(page).contains("<td>95 %</td><td>–</td><td>–</td><td>–</td><td>0</td>");
  }

  @Test
  void thePolicyMustBeThere() throws InterruptedException {
    ReplayResult result = Results.oneHour();

    assertThatThrownBy(() -> page(result, about("Prescale")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no run of Prescale");
  }

  @Test
  void theSameResultIsTheSamePageInEveryLocale() throws IOException, InterruptedException {
    ReplayResult result = Results.sixteenDays();
    String page = page(result, about("Prescale"));
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

      assertThat(page(result, about("Prescale"))).isEqualTo(page);
    } finally {
      Locale.setDefault(before);
    }
  }

  private static String page(ReplayResult result, ReportSubject about) throws IOException {
    var out = new StringWriter();
    HtmlReport.write(result, about, out);
    return out.toString();
  }

  private static JsonNode data(String page) throws IOException {
    return new ObjectMapper()
        .readTree(elements(page, "id=\"replay-data\">(.*?)</script>").getFirst());
  }

  /** Reads a column as the page does. */
  private static void assertColumn(
      JsonNode column, List<Tick> ticks, ToDoubleFunction<Tick> expected, double tolerance) {
    int minute = 0;
    for (String cell : column.asText().split(",", -1)) {
      String[] parts = cell.split("x", -1);
      double value = parts[0].isEmpty() ? Double.NaN : Double.parseDouble(parts[0]);
      int end = minute + (parts.length == 1 ? 1 : Integer.parseInt(parts[1]));
      for (; minute < end; minute++) {
        double exact = expected.applyAsDouble(ticks.get(minute));
        if (Double.isNaN(exact)) {
          assertThat(value).as("minute %d", minute).isNaN();
        } else {
          assertThat(value).as("minute %d", minute).isCloseTo(exact, within(tolerance * exact));
        }
      }
    }
    assertThat(minute).isEqualTo(ticks.size());
  }

  private static List<String> elements(String page, String pattern) {
    return Pattern.compile(pattern, Pattern.DOTALL)
        .matcher(page)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static int count(String page, String part) {
    return page.split(Pattern.quote(part), -1).length - 1;
  }

  private static String hash(String content) throws Exception {
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }
}
