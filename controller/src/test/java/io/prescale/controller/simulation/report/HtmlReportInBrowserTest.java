package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.prescale.controller.simulation.replay.ReplayResult;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Opens reports in a real browser without a window: its content security policy is the judge of our
 * hashes, and its console of our script. Skipped where there is no Chromium.
 */
class HtmlReportInBrowserTest {

  @TempDir private Path folder;

  @Test
  void drawsSixteenDaysWithoutAComplaint() throws IOException, InterruptedException {
    ReplayResult result = Results.sixteenDays();

    String page = opened(result, "Prescale");

    List<ScoredMinutes.Stretch> overloads =
        new ScoredMinutes(result).overloaded(result.runs().getFirst());
    int minutes = overloads.stream().mapToInt(stretch -> stretch.to() - stretch.from()).sum();
    assertThat(found(page, "<p>([^<]*) of overload in (\\d+) stretches; the longest:</p>"))
        .hasValueSatisfying(
            words -> {
              assertThat(words.group(1)).isEqualTo(Figures.duration(Duration.ofMinutes(minutes)));
              assertThat(words.group(2)).isEqualTo(Integer.toString(overloads.size()));
            });
    assertThat(page)
        .contains("Tue 10 Mar 00:00 – Tue 17 Mar 23:59 2026, UTC")
        .contains("aria-label=\"Demand and the forecast of Prescale.")
        .contains("<option value=\"6\">clairvoyant</option>");
  }

  @Test
  void saysWhyOfAMinuteThatIsAskedFor() throws IOException, InterruptedException {
    String page = opened(Results.oneHour(new Results.Explained()), "explained", "#at=1772411400");

    assertThat(page)
        .contains("<strong>Mon 2 Mar 00:30, UTC. </strong>")
        .contains("explained served 100 to the HPA, which then wanted 3 replicas: the number of")
        .contains(
            "highest demand in the 5 min from 00:35 on: Median 90 = level 60 + 40 season − 10")
        .contains("P95 100, including + 7 for recent errors. Risk of a shortage: 0.4 %.")
        .contains("Forecasters: boosted 75 %, recent peak 25 %.");
  }

  @Test
  void saysHowToAskForAnExplanation() throws IOException, InterruptedException {
    assertThat(opened(Results.oneHour(new Results.Explained()), "explained"))
        .contains("<div id=\"why\" role=\"status\"><p class=\"hint\">Click a minute");
    assertThat(opened(Results.oneHour(new Results.Speechless()), "speechless", "#at=1"))
        .contains("<div id=\"why\" role=\"status\" hidden=\"\">");
  }

  @Test
  void drawsOneHourWithoutAForecast() throws IOException, InterruptedException {
    String page = opened(Results.oneHour(), "clairvoyant");

    assertThat(page)
        .contains("Mon 2 Mar 00:00 – Mon 2 Mar 00:59 2026, UTC")
        .contains("No minute ended with demand above the capacity of the ready replicas.");
  }

  @Test
  void drawsWithoutAnyQuantileScored() throws IOException, InterruptedException {
    assertThat(opened(Results.oneHour(new Results.Speechless()), "speechless"))
        .contains("aria-label=\"Demand and the forecast of speechless.");
  }

  @Test
  void showsHostileNamesAsText() throws IOException, InterruptedException {
    String name = "</script><img src=x onerror=\"document.title='taken'\">";

    String page =
        opened(
            Results.of(Results.outcome(name, 0, 100), Results.outcome("clairvoyant", 0, 100)),
            name);

    assertThat(page)
        .contains("<title>checkout.csv – Prescale replay</title>")
        .contains("<option value=\"0\">&lt;/script&gt;&lt;img src=x onerror=");
  }

  /** The document after its script has run, without a word on the console. */
  private String opened(ReplayResult result, String policy)
      throws IOException, InterruptedException {
    return opened(result, policy, "");
  }

  private String opened(ReplayResult result, String policy, String fragment)
      throws IOException, InterruptedException {
    Optional<Path> browser = browser();
    assumeTrue(
        browser.isPresent(),
        "skipped: without a Chromium it stays unproven that a browser draws the report");
    Path file = folder.resolve("report.html");
    try (var out = Files.newBufferedWriter(file)) {
      HtmlReport.write(result, Results.about(policy), out);
    }
    Path document = folder.resolve("document.html");
    Path console = folder.resolve("console.txt");
    Process process =
        new ProcessBuilder(
                browser.orElseThrow().toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + folder.resolve("profile"),
                "--enable-logging=stderr",
                "--virtual-time-budget=10000",
                "--dump-dom",
                file.toUri() + fragment)
            .redirectOutput(document.toFile())
            .redirectError(console.toFile())
            .start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
    }
    assertThat(process.waitFor()).isZero();
    String page = Files.readString(document);
    assertThat(Files.readString(console)).doesNotContain("CONSOLE");
    assertThat(page).contains("data-drawn=\"yes\"");
    return page;
  }

  private static Optional<Path> browser() {
    String folders = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .flatMap(
            name ->
                Stream.of(folders.split(File.pathSeparator)).map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Optional<MatchResult> found(String page, String pattern) {
    return Pattern.compile(pattern).matcher(page).results().findFirst();
  }
}
