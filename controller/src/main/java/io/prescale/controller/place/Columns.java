package io.prescale.controller.place;

import io.prescale.controller.input.CsvTable;
import io.prescale.controller.input.Excerpt;
import io.prescale.controller.input.InputException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The fields of a row by the names of their columns. An empty field is a missing one; a malformed
 * field is refused.
 */
final class Columns {
  static final long MOST_CPU_MILLI = 100_000_000;
  static final long MOST_MEMORY_MIB = 1L << 30;
  static final int MOST_GPU_MEMORY_MIB = 1 << 24;
  static final Map<String, Boolean> YES_NO = Map.of("yes", true, "no", false);

  private final CsvTable table;
  private final Map<String, Integer> places = new HashMap<>();

  /**
   * Finds the columns of a table.
   *
   * @param known every column that the format has
   * @param required those that must be there
   * @throws InputException when a required column is missing, or an unknown one is there
   */
  Columns(CsvTable table, List<String> header, List<String> known, List<String> required)
      throws InputException {
    this.table = table;
    var example = String.join(",", required);
    for (var name : required) {
      places.put(name, table.column(name, example));
    }
    for (var name : known) {
      var place = table.optionalColumn(name);
      if (place.isPresent()) {
        places.put(name, place.getAsInt());
      }
    }
    for (var name : header) {
      if (!places.containsKey(name.toLowerCase(Locale.ROOT))) {
        throw table.problem(
            "no column is called %s here; the columns are %s"
                .formatted(Excerpt.quoted(name), String.join(", ", known)));
      }
    }
  }

  /** A text that must be there. */
  String text(String column) throws InputException {
    var text = optionalText(column);
    if (text.isEmpty()) {
      throw table.problem(column, "is empty");
    }
    return text.get();
  }

  /** A text; empty when there is none. */
  Optional<String> optionalText(String column) throws InputException {
    var place = places.get(column);
    if (place == null) {
      return Optional.empty();
    }
    var text = table.field(place).strip();
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  /** A whole number that must be there. */
  int whole(String column, int least, int most) throws InputException {
    return (int) wholeOf(column, text(column), least, most);
  }

  long whole(String column, long least, long most) throws InputException {
    return wholeOf(column, text(column), least, most);
  }

  OptionalInt optionalWhole(String column, int least, int most) throws InputException {
    var text = optionalText(column);
    return text.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of((int) wholeOf(column, text.get(), least, most));
  }

  OptionalLong optionalLong(String column, long least, long most) throws InputException {
    var text = optionalText(column);
    return text.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(wholeOf(column, text.get(), least, most));
  }

  /** A word of a field as a whole number. */
  long wholeOf(String column, String text, long least, long most) throws InputException {
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException _) {
      // Refused below, like a number out of range.
    }
    throw table.problem(
        column,
        "%s is not a whole number from %d to %d".formatted(Excerpt.quoted(text), least, most));
  }

  /** One of some words; empty when the field is. */
  <T> Optional<T> choice(String column, Map<String, T> choices) throws InputException {
    var text = optionalText(column);
    return text.isEmpty() ? Optional.empty() : Optional.of(choiceOf(column, text.get(), choices));
  }

  private <T> T choiceOf(String column, String text, Map<String, T> choices) throws InputException {
    var choice = choices.get(text.toLowerCase(Locale.ROOT));
    if (choice == null) {
      throw table.problem(
          column,
          "%s is none of %s"
              .formatted(
                  Excerpt.quoted(text),
                  String.join(", ", choices.keySet().stream().sorted().toList())));
    }
    return choice;
  }

  /** Names between bars, such as {@code T4|P100}, in their order; empty when there are none. */
  List<String> list(String column) throws InputException {
    var items = new ArrayList<String>();
    for (var item : optionalText(column).map(text -> text.split("\\|", -1)).orElse(new String[0])) {
      if (item.isBlank()) {
        throw table.problem(column, "has an empty name between its bars");
      }
      items.add(item.strip());
    }
    return items;
  }

  /** As {@link #list}, without order; openb names some models twice. */
  Set<String> names(String column) throws InputException {
    return new LinkedHashSet<>(list(column));
  }

  /** A choice for each card, between bars; one for all, or the default where the field is empty. */
  <T> List<T> perCard(String column, int cards, Map<String, T> choices, T otherwise)
      throws InputException {
    if (optionalText(column).isEmpty()) {
      return Collections.nCopies(cards, otherwise);
    }
    var values = new ArrayList<T>();
    for (var word : perCard(column, cards)) {
      values.add(choiceOf(column, word, choices));
    }
    return values;
  }

  /** A word for each card, between bars; one for all, or {@code -} where the field is empty. */
  List<String> perCard(String column, int cards) throws InputException {
    var words = list(column);
    if (words.size() > 1 && words.size() != cards) {
      throw table.problem(
          column,
          "has %d values for %d cards; give one, or one each".formatted(words.size(), cards));
    }
    return words.size() > 1
        ? words
        : Collections.nCopies(cards, words.isEmpty() ? "-" : words.getFirst());
  }

  /** Refuses a name that a row above has already. */
  void requireNew(String column, String name, Set<String> seen) throws InputException {
    if (!seen.add(name)) {
      throw problem(column, "%s is used above already".formatted(Excerpt.quoted(name)));
    }
  }

  /** What is wrong with a field of the current row. */
  InputException problem(String column, String problem) {
    return table.problem(column, problem);
  }
}
