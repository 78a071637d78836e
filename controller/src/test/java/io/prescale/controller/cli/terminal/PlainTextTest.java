package io.prescale.controller.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class PlainTextTest {

  @Test
  void spellsInAsciiWhatIsNot() {
    var text = new StringWriter();
    var out = new PrintWriter(new PlainText(text));
    out.print("0.41 × ≤ 5 – “x”… é");
    out.print('│');
    out.print(new char[] {'a', '⠿'});
    out.flush();

    assertThat(text.toString()).isEqualTo("0.41 x <= 5 - ?x?... ?|a?");
  }
}
