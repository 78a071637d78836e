package io.prescale.controller.cli.options;

import io.prescale.controller.input.Excerpt;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Finds values by name, and suggests the nearest name for an unknown one. */
public final class Names {
  private static final int SHORT = 5;

  private Names() {}

  /**
   * Returns the value with this name, in whatever case.
   *
   * @param kind what a message calls the values, such as {@code policy}
   * @throws IllegalArgumentException if no value has the name; says which are there
   */
  public static <T> T find(String kind, String name, List<T> values, Function<T, String> nameOf) {
    return values.stream()
        .filter(value -> nameOf.apply(value).equalsIgnoreCase(name))
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

  /** Returns the constant with this name, as {@link #find(String, String, List, Function)} does. */
  public static <E extends Enum<E>> E find(String kind, String name, Class<E> type) {
    return find(
        kind,
        name,
        List.of(type.getEnumConstants()),
        constant -> constant.name().toLowerCase(Locale.ROOT));
  }

  /**
   * The only name that begins as written, or else the one with the fewest mistakes: one in a short
   * word, two in a longer one, none in its first letter. Dashes before it and the case of letters
   * do not count.
   */
  public static Optional<String> nearest(String written, Collection<String> names) {
    var word = letters(written);
    if (word.isEmpty()) {
      return Optional.empty();
    }
    var longer = names.stream().filter(name -> letters(name).startsWith(word)).toList();
    if (longer.size() == 1) {
      return Optional.of(longer.getFirst());
    }
    int most = word.length() <= SHORT ? 1 : 2;
    return names.stream()
        .filter(name -> letters(name).charAt(0) == word.charAt(0))
        .filter(name -> Math.abs(letters(name).length() - word.length()) <= most)
        .filter(name -> mistakes(word, letters(name)) <= most)
        .min(Comparator.comparingInt(name -> mistakes(word, letters(name))));
  }

  private static String letters(String name) {
    return name.replaceFirst("^-+", "").toLowerCase(Locale.ROOT);
  }

  /**
   * Letters to insert, remove, replace or swap with the next one: optimal string alignment (Boytsov
   * 2011, §2.2). O(product of the lengths).
   */
  private static int mistakes(String one, String other) {
    int[][] least = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        int replaced = least[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        least[i][j] = Math.min(replaced, 1 + Math.min(least[i - 1][j], least[i][j - 1]));
        if (isSwapped(one, i, other, j)) {
          least[i][j] = Math.min(least[i][j], 1 + least[i - 2][j - 2]);
        }
      }
    }
    return least[one.length()][other.length()];
  }

  /** Whether the two letters before these places are each other's. */
  private static boolean isSwapped(String one, int i, String other, int j) {
    return i > 1
        && j > 1
        && one.charAt(i - 1) == other.charAt(j - 2)
        && one.charAt(i - 2) == other.charAt(j - 1);
  }
}
