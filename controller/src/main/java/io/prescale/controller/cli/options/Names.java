package io.prescale.controller.cli.options;

import io.prescale.controller.input.Excerpt;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Names that a user writes, and what was meant by one that does not exist. */
public final class Names {
  private static final int LETTERS_PER_MISTAKE = 3;

  private Names() {}

  /**
   * The value with a name.
   *
   * @param kind what a message calls the values, such as {@code policy}
   * @throws IllegalArgumentException if no value has the name; says which are there
   */
  public static <T> T find(String kind, String name, List<T> values, Function<T, String> nameOf) {
    return values.stream()
        .filter(value -> nameOf.apply(value).equals(name))
        .findFirst()
        .orElseThrow(
            () -> {
              var names = values.stream().map(nameOf).toList();
              var meant = nearest(name, names).map(". Did you mean %s?"::formatted).orElse("");
              return new IllegalArgumentException(
                  "there is no %s %s; choose from %s%s"
                      .formatted(kind, Excerpt.quoted(name), String.join(", ", names), meant));
            });
  }

  /** The name with the fewest mistakes, at most one for every three letters, if there is one. */
  public static Optional<String> nearest(String written, Collection<String> names) {
    int most = Math.max(1, written.length() / LETTERS_PER_MISTAKE);
    return names.stream()
        .filter(name -> distance(written, name) <= most)
        .min(Comparator.comparingInt(name -> distance(written, name)));
  }

  /** Levenshtein's distance: letters to insert, remove or replace. O(product of the lengths). */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    Arrays.setAll(row, j -> j);
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
