package io.prescale.controller.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void alignsTheFirstColumnToTheLeftAndTheOthersToTheRight() {
    var table = new TextTable(List.of("", "cost", "P90"), List.of("policy", "× ideal", ""));
    table.row(List.of("a", "1.25", "–"));
    table.row(List.of("Holt–Winters", "10.00", ""));

    assertThat(table.lines())
        .containsExactly(
            "                 cost  P90",
            "policy        × ideal",
            "a                1.25    –",
            "Holt–Winters    10.00");
  }

  @Test
  void refusesARowThatDoesNotFit() {
    var table = new TextTable(List.of("", ""), List.of("a", "b"));

    assertThatThrownBy(() -> table.row(List.of("1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 cells in 2 columns");
  }
}
