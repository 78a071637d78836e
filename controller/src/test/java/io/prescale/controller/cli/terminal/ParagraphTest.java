package io.prescale.controller.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ParagraphTest {

  @Test
  void breaksBetweenWords() {
    assertThat(Paragraph.wrapped("one two three four", 9))
        .containsExactly("one two", "three", "four");
    assertThat(Paragraph.wrapped("one two three four", 10))
        .containsExactly("one two", "three four");
  }

  @Test
  void givesALongWordALineOfItsOwn() {
    assertThat(Paragraph.wrapped("a supercalifragilistic b", 5))
        .containsExactly("a", "supercalifragilistic", "b");
    assertThat(Paragraph.wrapped("", 5)).containsExactly("");
  }
}
