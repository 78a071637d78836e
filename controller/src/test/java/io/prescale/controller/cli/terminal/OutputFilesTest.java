package io.prescale.controller.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFilesTest {
  @TempDir private Path folder;

  @Test
  void putsEveryFileInItsPlaceAndLeavesNothingBeside() throws Exception {
    var first = folder.resolve("ticks.csv");
    var second = Files.writeString(folder.resolve("report.html"), "old");
    try (var files = new OutputFiles()) {
      files.write(first, out -> out.append("a,b\n"));
      files.write(second, out -> out.append("new ü"));

      assertThat(first).doesNotExist();
      assertThat(second).hasContent("old");
      files.publish();
    }

    assertThat(first).hasContent("a,b\n");
    assertThat(second).hasContent("new ü");
    assertThat(names()).containsExactlyInAnyOrder("ticks.csv", "report.html");
  }

  @Test
  void leavesNothingWhenItIsNotPublished() throws Exception {
    var file = Files.writeString(folder.resolve("ticks.csv"), "old");
    try (var files = new OutputFiles()) {
      files.write(file, out -> out.append("new"));
    }

    assertThat(file).hasContent("old");
    assertThat(names()).containsExactly("ticks.csv");
  }

  @Test
  void leavesNothingOfAFileThatFailsHalfWay() {
    var file = folder.resolve("ticks.csv");
    try (var files = new OutputFiles()) {
      assertThatThrownBy(
              () ->
                  files.write(
                      file,
                      out -> {
                        out.append("half a f");
                        out.flush();
                        throw new IOException("No space left on device");
                      }))
          .hasMessage(file + ": cannot be written: No space left on device.");
    }

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void writesNothingOnceItIsClosed() {
    var files = new OutputFiles();
    files.close();

    assertThatThrownBy(() -> files.write(folder.resolve("late.csv"), out -> {}))
        .isInstanceOf(InterruptedException.class);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void writesThroughASymbolicLink() throws Exception {
    var target = Files.writeString(folder.resolve("real.csv"), "old");
    var link = Files.createSymbolicLink(folder.resolve("link.csv"), target);
    try (var files = new OutputFiles()) {
      files.write(link, out -> out.append("new"));
      files.publish();
    }

    assertThat(target).hasContent("new");
    assertThat(link).isSymbolicLink();
  }

  @Test
  void refusesPlacesThatCannotBeWrittenTo() {
    var absent = folder.resolve("absent/ticks.csv");

    assertThatThrownBy(() -> OutputFiles.requireWritable(folder))
        .hasMessage(folder + ": is a directory; name a file in it.");
    assertThatThrownBy(() -> OutputFiles.requireWritable(absent))
        .hasMessage(
            "%s: there is no directory %s; create it first.".formatted(absent, absent.getParent()));
    assertThatThrownBy(() -> OutputFiles.requireWritable(Path.of("/dev/null")))
        .hasMessage("/dev/null: is not a regular file.");
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
