package io.prescale.controller.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExcerptTest {

  @Test
  void quotesPlainTextAsItIs() {
    assertThat(Excerpt.quoted("12,5 Anfragen/s \uD83D\uDE80"))
        .isEqualTo("\"12,5 Anfragen/s \uD83D\uDE80\"");
  }

  @Test
  void bringsTextOntoOneLine() {
    assertThat(Excerpt.quoted(" a\r\nb\tc\n")).isEqualTo("\"a  b c\"");
  }

  @Test
  void disarmsTerminalSequencesAndReversedWriting() {
    assertThat(Excerpt.quoted("\u001b[31mred\u0007\u202egnirts\u0000"))
        .isEqualTo("\"?[31mred??gnirts?\"");
  }

  @Test
  void cutsLongTextBetweenCharacters() {
    var rocket = "\uD83D\uDE80";

    assertThat(Excerpt.of(rocket.repeat(5), 5)).isEqualTo(rocket.repeat(5));
    assertThat(Excerpt.of(rocket.repeat(6), 5)).isEqualTo(rocket.repeat(4) + "…");
    assertThat(Excerpt.quoted("x".repeat(5_000_000))).hasSize(82);
  }

  @Test
  void replacesHalvesOfCharacters() {
    assertThat(Excerpt.quoted("a\uD83D")).isEqualTo("\"a?\"");
  }
}
