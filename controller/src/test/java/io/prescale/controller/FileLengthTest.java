package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds sources to 300 lines, except those of a list that can only get shorter. */
class FileLengthTest {
  private static final int LIMIT = 300;

  /** Files over the limit, and the number of lines that each may have: as many as it has. */
  private static final Map<String, Integer> EXCEPTIONS =
      Map.ofEntries(
          Map.entry("adapter.server.HttpsServerTest", 343),
          Map.entry("controller.demand.source.PrometheusSourceTest", 341),
          Map.entry("controller.lab.AdapterLabIT", 311),
          Map.entry("controller.lab.ChartLabIT", 332),
          Map.entry("controller.lab.OutageLabIT", 329),
          Map.entry("forecasting.online.PeakForecasterTest", 301),
          Map.entry("placement.RandomRoomTest", 337),
          Map.entry("placement.claims.ClaimLedgerTest", 432),
          Map.entry("placement.ledger.LedgerTest", 401),
          Map.entry("placement.reclaim.ExhaustiveReclaimTest", 309));

  @TempDir private Path folder;

  @Test
  void noFileIsTooLong() throws IOException {
    assertThat(breaches(Checkout.root(), EXCEPTIONS)).isEmpty();
  }

  @Test
  void findsAFileThatIsTooLongInMainAndInTestSources() throws IOException {
    write("engine/src/main/java/io/prescale/engine/Long.java", 301);
    write("engine/src/test/java/io/prescale/engine/LongTest.java", 302);
    write("engine/src/main/java/io/prescale/engine/Short.java", 300);
    write("engine/target/generated/io/prescale/engine/Generated.java", 400);

    assertThat(breaches(folder, Map.of()))
        .containsExactly(
            "engine.Long has 301 lines, 300 are allowed",
            "engine.LongTest has 302 lines, 300 are allowed");
  }

  @Test
  void findsAnExceptionThatHasGrown() throws IOException {
    write("engine/src/main/java/io/prescale/engine/Long.java", 311);

    assertThat(breaches(folder, Map.of("engine.Long", 310)))
        .containsExactly("engine.Long has 311 lines, 310 are allowed");
  }

  @Test
  void findsAnExceptionThatCouldBeStricter() throws IOException {
    write("engine/src/main/java/io/prescale/engine/Long.java", 309);

    assertThat(breaches(folder, Map.of("engine.Long", 310)))
        .containsExactly("engine.Long has 309 lines: lower its exception from 310");
  }

  @Test
  void findsAnExceptionThatIsNoLongerNeeded() throws IOException {
    write("engine/src/main/java/io/prescale/engine/Long.java", 300);

    assertThat(breaches(folder, Map.of("engine.Gone", 400, "engine.Long", 310)))
        .containsExactly(
            "engine.Gone needs no exception any more", "engine.Long needs no exception any more");
  }

  private static List<String> breaches(Path checkout, Map<String, Integer> exceptions)
      throws IOException {
    var lengths = lengths(checkout);
    var breaches = new ArrayList<String>();
    lengths.forEach(
        (type, lines) -> {
          var allowed = exceptions.getOrDefault(type, LIMIT);
          if (lines > allowed) {
            breaches.add("%s has %d lines, %d are allowed".formatted(type, lines, allowed));
          }
        });
    new TreeMap<>(exceptions)
        .forEach(
            (type, allowed) -> {
              int lines = lengths.getOrDefault(type, 0);
              if (lines <= LIMIT) {
                breaches.add(type + " needs no exception any more");
              } else if (lines < allowed) {
                breaches.add(
                    "%s has %d lines: lower its exception from %d".formatted(type, lines, allowed));
              }
            });
    return breaches;
  }

  /** The lines of every source of every module, by its type's name without {@code io.prescale}. */
  private static Map<String, Integer> lengths(Path checkout) throws IOException {
    var lengths = new TreeMap<String, Integer>();
    try (var modules =
        Files.newDirectoryStream(checkout, path -> Files.exists(path.resolve("src")))) {
      for (var module : modules) {
        try (var files = Files.walk(module.resolve("src"))) {
          files
              .filter(file -> file.toString().endsWith(".java"))
              .forEach(file -> lengths.merge(type(file), lines(file), Math::max));
        }
      }
    }
    return lengths;
  }

  private static String type(Path file) {
    return file.toString()
        .replace(file.getFileSystem().getSeparator(), ".")
        .replaceFirst("^.*?\\.src\\.\\w+\\.java\\.(io\\.prescale\\.)?", "")
        .replaceFirst("\\.java$", "");
  }

  private static int lines(Path file) {
    try {
      return Files.readAllLines(file).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String file, int lines) throws IOException {
    var path = folder.resolve(file);
    Files.createDirectories(Objects.requireNonNull(path.getParent()));
    Files.writeString(path, "//\n".repeat(lines));
  }
}
