package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tests on a real control plane that the documentation names for a fault. */
class FaultLabsTest {
  private static final String IN_A_PROFILE = "<%s>\\*\\*/(\\w+)\\.java</%1$s>";

  @Test
  void theProfileForFaultsRunsAllButThoseThatNeedKeda() throws IOException {
    var table = Files.readString(Checkout.root().resolve("docs/reliability.md"));

    var run = found(IN_A_PROFILE.formatted("include"), profile("lab-faults"));
    var named = found("`(\\w+LabIT)`", table);

    assertThat(named).hasSizeGreaterThan(30);
    assertThat(run).containsAll(named.stream().filter(it -> !it.equals("KedaLabIT")).toList());
  }

  /**
   * The API server is away, and each write meets a conflict: briefly; and what Prescale works on is
   * deleted, and made again by Prescale or by others.
   */
  @Test
  void continuousIntegrationHasAShortFormOfEachKindOfFault() throws Exception {
    var leftOut = found(IN_A_PROFILE.formatted("exclude"), profile("lab"));

    assertThat(profile("lab")).contains("<lab.leftOut>long</lab.leftOut>");
    assertThat(leftOut).doesNotContain("ClusterFaultsLabIT", "MidTickLabIT");
    assertThat(shortCases("ClusterFaultsLabIT"))
        .contains("theApiServerIsAway", "theApiServiceIsDeleted");
    assertThat(shortCases("MidTickLabIT"))
        .containsExactly(
            "anEditedHpaIsRepaired",
            "aDeletedHpaIsMadeAgain",
            "aTargetThatIsScaledByHandIsScaledBack",
            "aTargetThatIsDeletedAndMadeAgainIsScaled",
            "aTargetWithoutScaleIsReportedAndTheOneBeforeKeepsItsReplicas",
            "anEditOfThePredictiveHpaStands",
            "aPredictiveHpaThatIsDeletedAndMadeAgainBeginsAnew",
            "anotherWriterAlwaysComesFirst");
    assertThat(Files.readString(Checkout.root().resolve("CONTRIBUTING.md")))
        .contains("half of `ClusterFaultsLabIT`, and one case of `MidTickLabIT`");
  }

  private static List<String> shortCases(String lab) throws IOException {
    var source = "controller/src/test/java/io/prescale/controller/lab/%s.java".formatted(lab);
    return found(
        "@Test\\s+(?:@Order\\(\\d+\\)\\s+)?void (\\w+)\\(",
        Files.readString(Checkout.root().resolve(source)));
  }

  private static String profile(String id) throws IOException {
    var poms = Files.readString(Checkout.root().resolve("controller/pom.xml"));
    int begin = poms.indexOf("<id>%s</id>".formatted(id));
    return poms.substring(begin, poms.indexOf("</profile>", begin));
  }

  private static List<String> found(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(FaultLabsTest::name).toList();
  }

  private static String name(MatchResult match) {
    return match.group(1);
  }
}
