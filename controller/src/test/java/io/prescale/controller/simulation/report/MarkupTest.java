package io.prescale.controller.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MarkupTest {

  @Test
  void nestsElementsAndEscapesTextsAndValues() {
    var html = new Markup().open("p", "class", "a\"b").text("1 < 2 & '3'").close();

    assertThat(html).hasToString("<p class=\"a&quot;b\">1 &lt; 2 &amp; &#39;3&#39;</p>");
  }

  @Test
  void roundsCoordinatesToATenth() {
    assertThat(new Markup().shape("line", "x1", 10.04, "x2", 20.0, "y1", -0.96))
        .hasToString("<line x1=\"10\" x2=\"20\" y1=\"-1\"/>");
  }

  @Test
  void refusesToEndWithAnElementOpen() {
    var html = new Markup().open("table").open("tr").close();

    assertThatThrownBy(html::toString).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void replacesWhatHasNoPlaceInADocument() {
    assertThat(Markup.wellFormed("a\0b\u001bc\ud800d\udc00e\uffffF\u0085"))
        .isEqualTo("a�b�c�d�e�F�");
  }

  @Test
  void showsNoTextBackwards() {
    assertThat(Markup.escaped("a\u202egnp.exe\u2066b")).isEqualTo("a�gnp.exe�b");
  }

  @Test
  void keepsWhiteSpaceAndEveryWrittenLanguage() {
    assertThat(Markup.wellFormed("a\tb\nc d‑é 日本 😀 ا")).isEqualTo("a\tb\nc d‑é 日本 😀 ا");
  }
}
