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
  @Test
  void theProfileForFaultsRunsAllButThoseThatNeedKeda() throws IOException {
    var poms = Files.readString(Checkout.root().resolve("controller/pom.xml"));
    int begin = poms.indexOf("<id>lab-faults</id>");
    var profile = poms.substring(begin, poms.indexOf("</profile>", begin));
    var table = Files.readString(Checkout.root().resolve("docs/reliability.md"));

    var run = found("<include>\\*\\*/(\\w+)\\.java</include>", profile);
    var named = found("`(\\w+LabIT)`", table);

    assertThat(named).hasSizeGreaterThan(30);
    assertThat(run).containsAll(named.stream().filter(it -> !it.equals("KedaLabIT")).toList());
  }

  private static List<String> found(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(FaultLabsTest::name).toList();
  }

  private static String name(MatchResult match) {
    return match.group(1);
  }
}
