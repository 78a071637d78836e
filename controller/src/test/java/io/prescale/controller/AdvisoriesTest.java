package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the libraries on the class path with the list of advisories in the repository, so that
 * the build needs no network for it.
 */
class AdvisoriesTest {
  private static final Pattern JAR =
      Pattern.compile("(?<artifact>.+?)-(?<version>\\d[\\w.]*)\\.jar");

  /** An unknown severity may be a high one. */
  private static final Set<String> SEVERE = Set.of("critical", "high", "unknown");

  /** A line of the list; {@code introduced} is affected, {@code fixed} is not. */
  private record Advisory(
      String id,
      String library,
      String introduced,
      String fixed,
      String severity,
      LocalDate since,
      URI source,
      String explanation) {
    static Advisory of(String line) {
      var fields = line.split(",", 8);
      return new Advisory(
          fields[0],
          fields[1],
          fields[2],
          fields[3],
          fields[4],
          LocalDate.parse(fields[5]),
          URI.create(fields[6]),
          fields[7].strip());
    }

    boolean affects(String jar) {
      var matcher = JAR.matcher(jar);
      return matcher.matches()
          && library.endsWith(":" + matcher.group("artifact"))
          && compare(introduced, matcher.group("version")) <= 0
          && compare(matcher.group("version"), fixed) < 0;
    }
  }

  private static int compare(String one, String other) {
    return Arrays.compare(numbers(one), numbers(other));
  }

  private static int[] numbers(String version) {
    return Stream.of(version.split("\\.", -1))
        .filter(part -> part.matches("\\d+"))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  private static List<Advisory> advisories() throws IOException {
    return Files.readAllLines(Checkout.root().resolve(".mvn/advisories.csv")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(Advisory::of)
        .toList();
  }

  private static List<String> jars() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).getFileName())
        .map(String::valueOf)
        .filter(name -> name.endsWith(".jar"))
        .toList();
  }

  private static List<String> unexplained(List<String> jars) throws IOException {
    return advisories().stream()
        .filter(
            advisory -> SEVERE.contains(advisory.severity()) && advisory.explanation().isEmpty())
        .flatMap(
            advisory ->
                jars.stream().filter(advisory::affects).map(jar -> advisory.id() + " " + jar))
        .toList();
  }

  @Test
  void noSevereAdvisoryAffectsALibraryInUse() throws IOException {
    assertThat(jars())
        .as("the class path is known")
        .anyMatch(jar -> jar.startsWith("bcprov-jdk18on-"))
        .anyMatch(jar -> jar.startsWith("netty-codec-http-"))
        .anyMatch(jar -> jar.startsWith("jackson-core-"));

    assertThat(unexplained(jars())).isEmpty();
  }

  @Test
  void namesTheAdvisoriesOfAnOlderLibrary() throws IOException {
    assertThat(unexplained(List.of("bcprov-jdk18on-1.82.jar", "netty-codec-http-4.2.16.Final.jar")))
        .contains(
            "CVE-2026-8763 bcprov-jdk18on-1.82.jar",
            "GHSA-8c42-7qj2-3j46 netty-codec-http-4.2.16.Final.jar")
        .doesNotContain("CVE-2026-55831 netty-codec-http-4.2.16.Final.jar");
  }

  @Test
  void everyAdvisoryHasASource() throws IOException {
    assertThat(advisories())
        .isNotEmpty()
        .allSatisfy(
            advisory -> {
              assertThat(advisory.id()).matches("(CVE-\\d{4}-\\d+|GHSA(-\\w{4}){3})");
              assertThat(advisory.severity()).isIn("critical", "high", "medium", "low", "unknown");
              assertThat(advisory.source().getScheme()).isEqualTo("https");
            });
  }

  @Test
  void theWrapperKnowsTheChecksumOfMaven() throws IOException {
    assertThat(Checkout.root().resolve(".mvn/wrapper/maven-wrapper.properties"))
        .content()
        .containsPattern("distributionSha256Sum=[0-9a-f]{64}\\R");
  }
}
