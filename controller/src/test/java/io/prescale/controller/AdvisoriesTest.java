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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the libraries on the class path with the list of advisories in the repository, so that
 * the build needs no network for it.
 */
class AdvisoriesTest {
  /** A version may have hyphens, as in {@code 33.4.8-jre}, and a classifier may follow it. */
  private static final Pattern JAR =
      Pattern.compile("(?<artifact>.+?)-(?<version>\\d[\\w.]*(-[\\w.]+)*)\\.jar");

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

    boolean isOf(String jar) {
      var matcher = JAR.matcher(jar);
      return matcher.matches() && library.endsWith(":" + matcher.group("artifact"));
    }

    boolean affects(String jar) {
      var matcher = JAR.matcher(jar);
      return isOf(jar)
          && matcher.matches()
          && compare(introduced, matcher.group("version")) <= 0
          && compare(matcher.group("version"), fixed) < 0;
    }
  }

  private static int compare(String one, String other) {
    return Arrays.compare(numbers(one), numbers(other));
  }

  private static int[] numbers(String version) {
    return Stream.of(version.split("[.-]", -1))
        .filter(part -> part.matches("\\d+"))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  private static List<Advisory> advisories() throws IOException {
    return lines().filter(line -> !line.startsWith("#")).map(Advisory::of).toList();
  }

  private static Stream<String> lines() throws IOException {
    return Files.readAllLines(Checkout.root().resolve(".mvn/advisories.csv")).stream();
  }

  private static List<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of)
        .filter(entry -> entry.toString().endsWith(".jar"))
        .toList();
  }

  private static List<String> jars() {
    return classPath().stream().map(Path::getFileName).map(String::valueOf).toList();
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

  /** Maven's repository has a folder for each artifact, and in it one for each version. */
  @Test
  void theNameOfEachLibraryIsRead() {
    var libraries =
        classPath().stream().filter(jar -> !fromItsEnd(jar, 2).equals("target")).toList();

    assertThat(libraries)
        .hasSizeGreaterThan(100)
        .anyMatch(jar -> fromItsEnd(jar, 1).matches("guava-.*-jre\\.jar"))
        .allSatisfy(
            jar -> {
              var name = JAR.matcher(fromItsEnd(jar, 1));
              assertThat(name.matches()).isTrue();
              assertThat(name.group("artifact")).isEqualTo(fromItsEnd(jar, 3));
              assertThat(name.group("version") + "-").startsWith(fromItsEnd(jar, 2) + "-");
            });
  }

  private static String fromItsEnd(Path path, int number) {
    return path.getName(path.getNameCount() - number).toString();
  }

  @Test
  void aHyphenInAVersionHidesNoAdvisory() {
    var advisory =
        Advisory.of("CVE-2026-1,io.netty:netty-handler,4.2.3,4.2.17,high,2026-08-27,https://a,");

    assertThat(
            Stream.of(
                "netty-handler-4.2.2-jre.jar",
                "netty-handler-4.2.3-jre.jar",
                "netty-handler-4.2.16.Final-linux-x86_64.jar",
                "netty-handler-4.2.17-jre.jar",
                "netty-handler-proxy-4.2.16.Final.jar"))
        .filteredOn(advisory::affects)
        .containsExactly(
            "netty-handler-4.2.3-jre.jar", "netty-handler-4.2.16.Final-linux-x86_64.jar");
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
  void namesTheAdvisoriesOfWhatCameWithGrpcAndMicronaut() throws IOException {
    var jars = List.of("gson-2.8.8.jar", "micronaut-context-4.10.21.jar", "snakeyaml-1.33.jar");

    assertThat(unexplained(jars))
        .containsExactlyInAnyOrder(
            "CVE-2022-25647 gson-2.8.8.jar",
            "CVE-2026-44241 micronaut-context-4.10.21.jar",
            "CVE-2022-1471 snakeyaml-1.33.jar");
    assertThat(advisories())
        .filteredOn(it -> it.affects("guava-31.1-jre.jar"))
        .extracting(Advisory::id)
        .containsExactlyInAnyOrder("CVE-2020-8908", "CVE-2023-2976");
  }

  @Test
  void theListSaysWhenItWasReviewedAndIsOfLibrariesInUse() throws IOException {
    var reviewed =
        lines()
            .map(Pattern.compile("# Reviewed on (\\d{4}-\\d{2}-\\d{2}) .*")::matcher)
            .filter(Matcher::matches)
            .map(it -> LocalDate.parse(it.group(1)))
            .toList();

    assertThat(reviewed).hasSize(1);
    assertThat(advisories())
        .allSatisfy(
            advisory -> {
              assertThat(advisory.since()).isBeforeOrEqualTo(reviewed.getFirst());
              assertThat(jars()).as(advisory.library()).anyMatch(advisory::isOf);
            });
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

  /** Continuous integration builds images on no base, and so cannot see it. */
  @Test
  void theBaseOfTheImageIsPinnedByItsDigest() throws IOException {
    assertThat(Checkout.root().resolve("controller/pom.xml"))
        .content()
        .containsPattern("<image\\.base>[^<@]+@sha256:[0-9a-f]{64}</image\\.base>");
  }
}
