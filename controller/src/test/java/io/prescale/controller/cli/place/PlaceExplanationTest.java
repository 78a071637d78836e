package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --explain} says of one pod. */
class PlaceExplanationTest {
  private static final String NODES =
      "sn,cpu_milli,memory_mib,gpu,model\nn0,64000,262144,2,T4\nn1,64000,262144,2,T4\n";
  private static final String PODS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n";

  @TempDir private Path folder;

  @Test
  void explainsAPlaceWithoutReadingsOrMemory() throws IOException {
    assertThat(explained("a,1,1,1,1000\nb,1,1,1,400\n"))
        .startsWith("b requests 1 GPU with 400/1000.")
        .anyMatch(line -> line.matches("It is placed on n[01]\\."))
        .anyMatch(line -> line.endsWith(": 400/1000 of its compute, memory unknown"))
        .anyMatch(line -> line.startsWith("Why: n"))
        .contains(
            "  healthiest cards: no known sign of trouble",
            "  headroom for heat and power: none known to be too warm",
            "  image: present, or none named",
            "  best links: none needed, or none known");
  }

  @Test
  void explainsARefusalNodeByNode() throws IOException {
    assertThat(explained("b,65000,1,1,400\n"))
        .containsExactly(
            "b requests 1 GPU with 400/1000.",
            "It is refused: needs 1 GPU with 400/1000: 2 nodes lack CPU.",
            "  n0 lacks CPU",
            "  n1 lacks CPU");
  }

  private List<String> explained(String pods) throws IOException {
    var program = new TestingSurroundings();
    var nodes = Files.writeString(folder.resolve("nodes.csv"), NODES);
    var file = Files.writeString(folder.resolve("pods.csv"), PODS + pods);

    assertThat(
            program.run(
                "place", "--nodes", nodes.toString(), "--pods", file.toString(), "--explain", "b"))
        .as(program.err())
        .isZero();
    return program.out().lines().toList();
  }
}
