package io.prescale.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Verdicts and sentences are those of {@code labels.Parse} of apimachinery 0.36.3. */
class LabelSelectorTest {
  private static final List<Map<String, String>> SUBJECTS =
      List.of(
          Map.of("a", "b"),
          Map.of("a", "5", "x", "y"),
          Map.of("x", "z"),
          Map.of("in", "notin", "a", ""));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\"            | 1111",
        "a               | 1101",
        "!a              | 0010",
        "a=b             | 1000",
        "a==b            | 1000",
        "a!=b            | 0111",
        "a in (b,5)      | 1100",
        "a notin (b)     | 0111",
        "a>4             | 0100",
        "a<5             | 0000",
        "a<6             | 0100",
        "a in ()         | 0001",
        "a in (,)        | 0001",
        "a in (b,,5)     | 1101",
        "a=              | 0001",
        "a=,x=y          | 0000",
        "in=notin        | 0001",
        "in in (notin)   | 0001",
        "a =  b , x = y  | 0000",
        "a in (b,5),!x   | 1000",
        "notin           | 0000",
        "a in (in,notin,b) | 1000",
        "a,a=b,a in (b)  | 1000",
      })
  void selects(String selector, String selected) throws SelectorException {
    var parsed = LabelSelector.parse(selector);

    assertThat(verdicts(parsed)).isEqualTo(selected);
    assertThat(verdicts(LabelSelector.parse(parsed.toString()))).isEqualTo(selected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "===       | found '==', expected: !, identifier, or 'end of string'",
        ",a=b      | found ',', expected: !, identifier, or 'end of string'",
        "()        | found '(', expected: !, identifier, or 'end of string'",
        "a=b,      | found '', expected: identifier after ','",
        "a=b,,x=y  | found ',', expected: identifier after ','",
        "!a=b      | found '=', expected: ',' or 'end of string'",
        "a=b)      | found ')', expected: ',' or 'end of string'",
        "!         | unable to parse requirement: found '', expected: identifier",
        "!!a       | unable to parse requirement: found '!', expected: identifier",
        "a=(b      | unable to parse requirement: found '(', expected: identifier",
        "a>=4      | unable to parse requirement: found '=', expected: identifier",
        "a b       | unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt,"
            + " lt",
        "a!b       | unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt,"
            + " lt",
        "a in      | unable to parse requirement: found '' expected: '('",
        "a in b    | unable to parse requirement: found 'b' expected: '('",
        "a in (!b) | unable to parse requirement: found '!', expected: ',', ')' or identifier",
        "a in (b   | unable to parse requirement: found '', expected: ',' or ')'",
        "a in (b 5) | unable to parse requirement: found '5', expected: ',' or ')'",
        "a>x       | unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt'"
            + " operators, the value must be an integer",
        "/b=c      | unable to parse requirement: <nil>: Invalid value: \"/b\": prefix part must be"
            + " non-empty",
      })
  void refuses(String selector, String sentence) {
    assertThat(refusal(selector)).isEqualTo(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-a=b      | unable to parse requirement: <nil>: Invalid value: \"-a\": name part must"
            + " consist of",
        "a/=c      | unable to parse requirement: <nil>: Invalid value: \"a/\": name part must be"
            + " non-empty; name",
        "a/b/c=d   | unable to parse requirement: <nil>: Invalid value: \"a/b/c\": a valid label"
            + " key must",
        "A_/b=c    | unable to parse requirement: <nil>: Invalid value: \"A_/b\": prefix part a"
            + " lowercase RFC",
        "a=-b      | unable to parse requirement: values[0][a]: Invalid value: \"-b\": a valid"
            + " label must be",
        "a in (b,-) | unable to parse requirement: values[0][a]: Invalid value: \"-\": a valid"
            + " label must be",
        "a>-4      | unable to parse requirement: values[0][a]: Invalid value: \"-4\": a valid"
            + " label must be",
        "a>-b      | unable to parse requirement: [values[0]: Invalid value: \"-b\": for 'Gt', 'Lt'"
            + " operators",
      })
  void refusesInvalidLabels(String selector, String beginning) {
    assertThat(refusal(selector)).startsWith(beginning);
  }

  @Test
  void refusesHostileText() {
    assertThat(refusal("a\0=b")).contains("name part must consist of");
    assertThat(refusal("a".repeat(64))).contains("name part must be no more than 63 bytes");
    assertThat(refusal("a=" + "b".repeat(100_000))).contains("must be no more than 63 bytes");
    assertThat(refusal("x".repeat(254) + "/a")).contains("no more than 253 bytes");
    assertThat(refusal("!".repeat(100_000))).contains("found '!', expected: identifier");
    assertThat(refusal("a in (" + "(".repeat(100_000))).contains("found '('");
  }

  @Test
  void readsThousandsOfValues() throws SelectorException {
    var values = IntStream.range(0, 20_000).mapToObj(i -> "v" + i).collect(Collectors.joining(","));

    var selector = LabelSelector.parse("a in (" + values + ")");

    assertThat(selector.matches(Map.of("a", "v19999"))).isTrue();
    assertThat(selector.matches(Map.of("a", "v20000"))).isFalse();
  }

  private static String verdicts(LabelSelector selector) {
    return SUBJECTS.stream()
        .map(labels -> selector.matches(labels) ? "1" : "0")
        .collect(Collectors.joining());
  }

  private static String refusal(String selector) {
    var thrown =
        assertThatExceptionOfType(SelectorException.class)
            .isThrownBy(() -> LabelSelector.parse(selector))
            .actual();
    return String.valueOf(thrown.getMessage());
  }
}
