package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds the reader of the architecture's table to refusing every row that it could misread. */
class ArchitectureTableTest {
  private static final String HEADER = "| Package | Holds | May see |\n|---|---|---|\n";

  @Test
  void readsWhatEachPackageMaySee() {
    var table =
        ArchitectureTable.read(
            "# Architecture\n\n| `not` | this | table |\n\n"
                + HEADER
                + "| `input` | histories | `report`, `commons-csv`, `files` |\n"
                + "| `report` | a replay as `HTML` | – |\n"
                + "\n| `nor` | this | one |\n");

    assertThat(table.maySee()).containsOnlyKeys("input", "report");
    assertThat(table.maySee().get("input")).containsExactly("report", "commons-csv", "files");
    assertThat(table.maySee().get("report")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          | `input` | histories |                     ; a row has three cells
          | input | histories | – |                   ; the first cell is one package in backticks
          | `input`, `web` | histories | – |          ; the first cell is one package in backticks
          | `input` | | – |                           ; the second cell says what the package holds
          | `input` | histories | |                   ; the third cell is a list
          | `input` | histories | everything |        ; the third cell is a list
          | `input` | histories | `files` and `slf4j` |; the third cell is a list
          | `input` | histories | `input` |           ; a package always sees itself
          | `input` | histories | `files`, `files` |  ; `files` stands there twice
          | `input` | histories | `java.sql` |        ; `java.sql` is neither a package with a row nor
          | `input` | histories | `reports` |         ; `reports` is neither a package with a row nor
          """)
  void refusesARow(String row, String sentence) {
    assertThatThrownBy(() -> ArchitectureTable.read(HEADER + row + "\n"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Row ")
        .hasMessageContaining(sentence);
  }

  @Test
  void refusesASecondRowOfAPackage() {
    var row = "| `input` | histories | – |\n";

    assertThatThrownBy(() -> ArchitectureTable.read(HEADER + row + row))
        .hasMessageContaining("the package has a row already");
  }

  @Test
  void refusesATextWithoutTheTable() {
    assertThatThrownBy(() -> ArchitectureTable.read("# Architecture\n"))
        .hasMessageContaining("There is no table");
  }

  @Test
  void thePureJdkIsFreeAndTheRestHasAWordOrIsSeenInFull() {
    for (var free : List.of("", "java.util.function", "java.nio.charset", "org.jspecify")) {
      assertThat(ArchitectureTable.token(free, "io.prescale")).as(free).isEmpty();
    }
    assertThat(ArchitectureTable.token("java.net.http", "io.prescale")).contains("network");
    assertThat(ArchitectureTable.token("java.nio.file.attribute", "io.prescale")).contains("files");
    assertThat(ArchitectureTable.token("java.sql", "io.prescale")).contains("java.sql");
    assertThat(ArchitectureTable.token("io.prescale.adapter.api", "io.prescale"))
        .contains("adapter.api");
    assertThat(ArchitectureTable.token("io.prescalers", "io.prescale")).contains("io.prescalers");
  }
}
