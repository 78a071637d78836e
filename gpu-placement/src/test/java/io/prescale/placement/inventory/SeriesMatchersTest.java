package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesMatchersTest {
  @Test
  void narrowTheSeriesOfAName() {
    assertThat(SeriesMatchers.NONE.named("a|b")).isEqualTo("{__name__=~\"a|b\"}");
    assertThat(new SeriesMatchers("namespace=\"gpu\", job=~\"dcgm.*\"").named("a|b"))
        .isEqualTo("{__name__=~\"a|b\",namespace=\"gpu\", job=~\"dcgm.*\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job=\"dcgm-exporter\"",
        "job!=\"x\"",
        "job!~\"x|y\"",
        "_a1 =~ \"\"",
        "job=\"quoted \\\" and \\\\ \"",
        "job=~\"a\\\\.b\"",
        "job=\"} or up{\"",
        "job=\"a,b\",namespace=\"日本\"",
      })
  void takeWhatPromqlTakes(String text) {
    assertThat(new SeriesMatchers(text).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "job=\"x\"} or vector(1) # ",
        "job=\"x\"} or {job=\"y\"",
        "job=\"x\", } or up{a=\"b\"",
        "job=\"x\\\"",
        "job=\"x\\\\\"} or up{job=\"y\"",
        "job=\"x\n\"",
        "job=\"x\t\"",
        "job=\"\\x22} or up{\"",
        "job='x'",
        "job=`x`",
        "job=x",
        "job==\"x\"",
        "\"job\"=\"x\"",
        "1job=\"x\"",
        "job name=\"x\"",
        "{job=\"x\"}",
        "up{job=\"x\"}",
        "job=\"x\",",
        ",job=\"x\"",
        "job=\"x\" namespace=\"y\"",
        "job=\"x\" # and the rest",
        "job=\"x\"\n",
        "job",
        " ",
      })
  void refuseWhatCouldEndTheSelectorOrIsNoMatcher(String text) {
    assertThatThrownBy(() -> new SeriesMatchers(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not a list of label matchers of at most 1,000 characters; write");
  }

  @Test
  void refuseLongTextAtOnce() {
    assertThatThrownBy(() -> new SeriesMatchers("job=\"" + "x".repeat(1_000_000)))
        .hasMessageStartingWith("\"job=\"xxx")
        .hasMessageContaining("…");
    assertThat(new SeriesMatchers("job=\"%s\"".formatted("\\\\".repeat(497))).text())
        .hasSize(1_000);
  }
}
