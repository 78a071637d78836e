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
      List.of(
          "--horizon",
          "--holiday",
          "--ca-file",
          "--capacity",
          "--demo",
          "--out",
          "--skip",
          "--nodes",
          "--timeout",
          "--stop-after");

  private static final List<String> COMMANDS =
      List.of("demo", "replay", "place", "plan", "controller", "completion", "help");

  @ParameterizedTest
  @CsvSource({
    "--horzon, --horizon",
    "--capcity, --capacity",
    "--hoziron, --horizon",
    "-demo, --demo",
    "--holidays, --holiday",
    "--oot, --out",
    "--otu, --out",
    "--Horizon, --horizon",
  })
  void theNearestNameHasTheFewestMistakes(String written, String meant) {
    assertThat(Names.nearest(written, OPTIONS)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"dmeo, demo", "paln, plan", "hlep, help", "palce, place", "reply, replay"})
  void twoLettersInTheWrongOrderAreOneMistake(String written, String meant) {
    assertThat(Names.nearest(written, COMMANDS)).contains(meant);
  }

  @Test
  void theOnlyNameThatBeginsSoIsMeant() {
    assertThat(Names.nearest("--stop", OPTIONS)).contains("--stop-after");
    assertThat(Names.nearest("--cap", OPTIONS)).contains("--capacity");
    assertThat(Names.nearest("control", COMMANDS)).contains("controller");
    assertThat(Names.nearest("--ho", OPTIONS)).as("two begin so").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"--step", "--cost", "--timezone", "--model", "--in", "--chroma", "-x", "--", "--é"})
  void nothingIsMeantWhereTooManyLettersDiffer(String written) {
    assertThat(Names.nearest(written, OPTIONS)).isEmpty();
  }

  @Test
  void nothingIsMeantByAnotherWordOrAHugeOne() {
    assertThat(Names.nearest("deploy", COMMANDS)).isEmpty();
    assertThat(Names.nearest("p".repeat(1_000_000), COMMANDS)).isEmpty();
    assertThat(Names.nearest("", COMMANDS)).isEmpty();
  }

  @Test
  void aNameFindsItsValue() {
    assertThat(Names.find("number", "2", List.of(1, 2), String::valueOf)).isEqualTo(2);
    assertThat(Names.find("word", "VLLM", List.of("tgi", "vllm"), Function.identity()))
        .as("in another case")
        .isEqualTo("vllm");
  }

  @Test
  void anUnknownNameIsRefusedWithAllThatThereAre() {
    var policies = List.of("fgd", "bestfit");

    assertThatThrownBy(() -> Names.find("policy", "xyz", policies, Function.identity()))
        .hasMessage("there is no policy \"xyz\"; choose from fgd, bestfit");
    for (var near : List.of("fdg", "fgt", "FDG")) {
      assertThatThrownBy(() -> Names.find("policy", near, policies, Function.identity()))
          .hasMessage(
              "there is no policy \"%s\"; choose from fgd, bestfit. Did you mean fgd?", near);
    }
  }
}
