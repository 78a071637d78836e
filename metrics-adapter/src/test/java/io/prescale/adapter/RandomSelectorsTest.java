package io.prescale.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever text comes as a selector is one, which means what it says, or is refused in words. */
class RandomSelectorsTest {
  private static final int SELECTORS = 5_000;
  private static final List<String> WORDS =
      List.of(
          "a",
          "predictivehpa",
          "b5",
          "5",
          "-7",
          "in",
          "notin",
          "gt",
          "x.io/y",
          "a/b/c",
          "é",
          "\u0000",
          "😀",
          "\uD800",
          "%41",
          "\"",
          "-",
          "_",
          "a".repeat(64),
          "b".repeat(5_000));
  private static final List<String> SYMBOLS =
      List.of(
          "=", "==", "!=", "!", ",", "(", ")", ">", "<", " ", "\t", " in (", " notin (", "),", "");

  @Test
  void eachIsReadOrRefusedInWords() {
    var random = new SplittableRandom(15);
    int read = 0;
    for (int i = 0; i < SELECTORS; i++) {
      var text = text(random);
      try {
        var selector = LabelSelector.parse(text);
        read++;
        assertThat(LabelSelector.parse(selector.toString())).as(text).isEqualTo(selector);
      } catch (SelectorException e) {
        assertThat(e.getMessage()).as(text).isNotBlank().hasSizeLessThan(3 * text.length() + 1_000);
      }
    }
    assertThat(read).isBetween(SELECTORS / 20, SELECTORS / 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | true",
        "a | true",
        "!a | false",
        "b | false",
        "!b | true",
        "a=5 | true",
        "a==6 | false",
        "a!=5 | false",
        "b!=5 | true",
        "'a in (4,5)' | true",
        "'a notin (4,5)' | false",
        "'b notin (4,5)' | true",
        "a>4 | true",
        "a>5 | false",
        "a<6 | true",
        "b<6 | false",
        "'a=5,!b' | true",
        "'a=5,b' | false",
      })
  void meansOfOneLabelWhatKubernetesSays(String text, boolean matches) throws Exception {
    assertThat(LabelSelector.parse(text).matches(Map.of("a", "5"))).isEqualTo(matches);
  }

  /** Of words and symbols in turn, as a selector has, but for some that are not. */
  private static String text(SplittableRandom random) {
    var text = new StringBuilder();
    for (int left = random.nextInt(12); left > 0; left--) {
      boolean word = (left % 2 == 0) != (random.nextInt(8) == 0);
      var parts = word ? WORDS : SYMBOLS;
      text.append(parts.get(random.nextInt(parts.size())));
    }
    return text.toString();
  }
}
