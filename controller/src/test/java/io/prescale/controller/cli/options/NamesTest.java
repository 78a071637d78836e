package io.prescale.controller.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {
  private static final List<String> OPTIONS =
      List.of("--horizon", "--holiday", "--ca-file", "--capacity", "--demo", "--out");

  @ParameterizedTest
  @CsvSource({
    "--horzon, --horizon",
    "--capcity, --capacity",
    "--hoziron, --horizon",
    "-demo, --demo",
    "--holidays, --holiday",
    "--oot, --out",
  })
  void theNearestNameHasTheFewestMistakes(String written, String meant) {
    assertThat(Names.nearest(written, OPTIONS)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"--skip", "--in", "--chroma", "-x"})
  void nothingIsMeantWhereTooManyLettersDiffer(String written) {
    assertThat(Names.nearest(written, OPTIONS)).isEmpty();
  }

  @Test
  void aNameFindsItsValue() {
    assertThat(Names.find("number", "2", List.of(1, 2), String::valueOf)).isEqualTo(2);
  }

  @Test
  void anUnknownNameIsRefusedWithAllThatThereAre() {
    var policies = List.of("fgd", "bestfit");

    assertThatThrownBy(() -> Names.find("policy", "fdg", policies, Function.identity()))
        .hasMessage("there is no policy \"fdg\"; choose from fgd, bestfit");
    assertThatThrownBy(() -> Names.find("policy", "fgt", policies, Function.identity()))
        .hasMessage("there is no policy \"fgt\"; choose from fgd, bestfit. Did you mean fgd?");
  }
}
