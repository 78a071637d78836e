package io.prescale.controller;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.regex.Pattern;

/**
 * The table {@code Package | Holds | May see} of {@code docs/architecture.md}.
 *
 * @param maySee for each package, the packages and the words for libraries that it may see; names
 *     are relative to the program's root
 */
record ArchitectureTable(SequencedMap<String, SequencedSet<String>> maySee) {
  /** What a package may see without its row saying so. */
  private static final List<String> FREE =
      List.of(
          "java.io",
          "java.lang",
          "java.math",
          "java.nio",
          "java.security",
          "java.text",
          "java.time",
          "java.util",
          "org.jspecify");

  /** Words of the table, and the packages outside the program that each stands for. */
  private static final Map<String, List<String>> LIBRARIES =
      Map.ofEntries(
          Map.entry("BouncyCastle", List.of("org.bouncycastle")),
          Map.entry("commons-csv", List.of("org.apache.commons.csv")),
          Map.entry("commons-io", List.of("org.apache.commons.io")),
          Map.entry("commons-math3", List.of("org.apache.commons.math3")),
          Map.entry("fabric8", List.of("io.fabric8")),
          Map.entry("files", List.of("java.nio.file")),
          Map.entry("gRPC", List.of("io.grpc")),
          Map.entry("Jackson", List.of("com.fasterxml.jackson")),
          Map.entry("java-operator-sdk", List.of("io.javaoperatorsdk")),
          Map.entry(
              "Micronaut",
              List.of(
                  "io.micronaut", "jakarta.annotation", "jakarta.inject", "org.reactivestreams")),
          Map.entry("Netty", List.of("io.netty")),
          Map.entry("network", List.of("java.net", "java.nio.channels", "javax.net")),
          Map.entry("picocli", List.of("picocli")),
          Map.entry("Prometheus client", List.of("io.prometheus")),
          Map.entry("slf4j", List.of("org.slf4j")),
          Map.entry("X.500", List.of("javax.naming", "javax.security.auth.x500")));

  private static final Pattern HEADER =
      Pattern.compile("\\|\\s*Package\\s*\\|\\s*Holds\\s*\\|\\s*May see\\s*\\|");
  private static final Pattern PACKAGE = Pattern.compile("`([a-z0-9]+(?:\\.[a-z0-9]+)*)`");
  private static final Pattern TOKENS = Pattern.compile("–|`[^`,]+`(?:, `[^`,]+`)*");

  /**
   * Reads the rows below the table's header up to the first line that is no row.
   *
   * @throws IllegalArgumentException saying which row is wrong, and how
   */
  static ArchitectureTable read(String markdown) {
    var rows = new LinkedHashMap<String, SequencedSet<String>>();
    markdown
        .lines()
        .dropWhile(line -> !HEADER.matcher(line).matches())
        .skip(2) // the header and the line below it
        .takeWhile(line -> line.startsWith("|"))
        .forEach(row -> read(row, rows));
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("There is no table `| Package | Holds | May see |`.");
    }
    rows.forEach((name, seen) -> seen.forEach(token -> requireKnown(name, token, rows)));
    return new ArchitectureTable(Collections.unmodifiableSequencedMap(rows));
  }

  private static void read(String row, SequencedMap<String, SequencedSet<String>> rows) {
    var cells = Arrays.stream(row.split("\\|", -1)).map(String::strip).toList();
    require(cells.size() == 5, row, "a row has three cells");
    var name = PACKAGE.matcher(cells.get(1));
    require(name.matches(), row, "the first cell is one package in backticks");
    require(!cells.get(2).isEmpty(), row, "the second cell says what the package holds");
    require(
        TOKENS.matcher(cells.get(3)).matches(),
        row,
        "the third cell is a list such as `input`, `Jackson`, or –");
    var seen = new LinkedHashSet<String>();
    for (var token : cells.get(3).equals("–") ? List.<String>of() : split(cells.get(3))) {
      require(!token.equals(name.group(1)), row, "a package always sees itself");
      require(seen.add(token), row, "`" + token + "` stands there twice");
    }
    require(rows.put(name.group(1), seen) == null, row, "the package has a row already");
  }

  private static List<String> split(String tokens) {
    return List.of(tokens.substring(1, tokens.length() - 1).split("`, `"));
  }

  private static void requireKnown(String name, String token, Map<String, ?> rows) {
    require(
        rows.containsKey(token) || LIBRARIES.containsKey(token),
        "`" + name + "`",
        "`" + token + "` is neither a package with a row nor a library that the rules know");
  }

  private static void require(boolean condition, String row, String sentence) {
    if (!condition) {
      throw new IllegalArgumentException("Row " + row + ": " + sentence + ".");
    }
  }

  /**
   * What the table calls a package: relative to the root, by the word for its library, or, where no
   * row could allow it, in full. Empty for what every package may see.
   */
  static Optional<String> token(String packageName, String root) {
    if (isWithin(packageName, root)) {
      return Optional.of(packageName.substring(root.length() + 1));
    }
    var library =
        LIBRARIES.entrySet().stream()
            .filter(word -> isWithinAny(packageName, word.getValue()))
            .map(Map.Entry::getKey)
            .findAny();
    if (library.isPresent()) {
      return library;
    }
    var free = packageName.isEmpty() || isWithinAny(packageName, FREE); // empty: a primitive type
    return free ? Optional.empty() : Optional.of(packageName);
  }

  private static boolean isWithinAny(String packageName, List<String> roots) {
    return roots.stream().anyMatch(root -> isWithin(packageName, root));
  }

  private static boolean isWithin(String packageName, String root) {
    return (packageName + ".").startsWith(root + ".");
  }
}
