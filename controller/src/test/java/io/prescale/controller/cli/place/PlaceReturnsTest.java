package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of pods that {@code prescale place --evict} has evicted. */
class PlaceReturnsTest {
  private static final String NODES =
      """
      sn,cpu_milli,memory_mib,gpu,model,rack
      n0,64000,262144,4,A100,r0
      n1,64000,262144,4,A100,r1
      n2,64000,262144,4,A100,r2
      """;
  private static final String PODS =
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,preemptible,priority,node,cards,gang,gang_minimum,gang_scope";

  /** Two free cards on n1 and on n2; n0 is left to the test. */
  private static final List<String> FIXED =
      List.of("f1,1,1,2,1000,no,9,n1,0|1,,,", "f2,1,1,2,1000,no,9,n2,0|1,,,");

  private static final String CLAIM = "claim,1,1,4,1000,no,1,,,,,";

  @TempDir private Path folder;

  @Test
  void anEvictedPodTakesAFreePlace() throws IOException {
    var pods = List.of("small,1,1,1,1000,yes,0,n0,0,,,", CLAIM);

    var run = json(pods).at("/runs/0");
    assertThat(run.at("/evicted").asInt()).isEqualTo(1);
    assertThat(run.at("/returned").asInt()).isEqualTo(1);
    assertThat(run.at("/placed").asInt()).isEqualTo(1);
    var small = run.at("/pods/2");
    assertThat(small.at("/outcome").asText()).isEqualTo("evicted");
    assertThat(small.at("/evicted_from").asText()).isEqualTo("n0");
    assertThat(small.at("/node").asText()).isEqualTo("n1");
    assertThat(small.at("/cards/0/card").asInt()).isEqualTo(2);
  }

  @Test
  void theReportTheFileAndTheExplanationSayWhereItWent() throws IOException {
    var pods = List.of("small,1,1,1,1000,yes,0,n0,0,,,", CLAIM);
    var csv = folder.resolve("out.csv");

    assertThat(run(pods, "--out", csv.toString()))
        .contains("1 of the 1 evicted pods were placed again.");
    assertThat(csv).content().contains("small,n1,2,n1-gpu-2,1000,0,,evicted from n0 for claim");
    assertThat(run(pods, "--explain", "small"))
        .contains(
            "It is evicted from n0.", "Why: to make room for claim.", "It is placed again on n1.");
  }

  @Test
  void evictsNoPodAndIsNotPlacedAgainWithoutRoom() throws IOException {
    var pods =
        List.of("wide,1,1,3,1000,yes,0,n0,0|1|2,,,", "lower,1,1,1,1000,yes,-1,n1,2,,,", CLAIM);

    var run = json(pods).at("/runs/0");
    assertThat(run.at("/returned").asInt()).isZero();
    assertThat(run.at("/pods/2/outcome").asText()).isEqualTo("evicted");
    assertThat(run.at("/pods/2").has("node")).isFalse();
    assertThat(run.at("/pods/3/outcome").asText()).isEqualTo("running");
  }

  @Test
  void aGangOfWhichNothingIsLeftReturnsAsAWhole() throws IOException {
    var pods = List.of("g0,1,1,2,1000,yes,0,n0,0|1,g,,", "g1,1,1,2,1000,yes,0,n0,2|3,g,,", CLAIM);

    var run = json(pods).at("/runs/0");
    assertThat(run.at("/returned").asInt()).isEqualTo(2);
    assertThat(List.of(run.at("/pods/2/node").asText(), run.at("/pods/3/node").asText()))
        .containsExactlyInAnyOrder("n1", "n2");
  }

  @Test
  void aGangReturnsOnlyWithinItsScope() throws IOException {
    var pods =
        List.of("g0,1,1,2,1000,yes,0,n0,0|1,g,,rack", "g1,1,1,2,1000,yes,0,n0,2|3,g,,rack", CLAIM);

    assertThat(json(pods).at("/runs/0/returned").asInt()).isZero();
  }

  @Test
  void aSparePodReturnsOnItsOwnUnlessItsGangMustBeTogether() throws IOException {
    var pods = List.of("g0,1,1,1,1000,yes,0,n0,0,g,1,", "g1,1,1,1,1000,yes,0,n1,2,g,1,", CLAIM);

    assertThat(json(pods).at("/runs/0/returned").asInt()).isEqualTo(1);

    var near = List.of(pods.get(0) + "block", pods.get(1) + "block", CLAIM);
    assertThat(json(near).at("/runs/0/returned").asInt()).isZero();
  }

  private JsonNode json(List<String> pods) throws IOException {
    return new ObjectMapper().readTree(run(pods, "--json"));
  }

  private String run(List<String> pods, String... options) throws IOException {
    var lines = new ArrayList<>(List.of(PODS));
    lines.addAll(FIXED);
    lines.addAll(pods);
    var arguments =
        new ArrayList<>(
            List.of(
                "place",
                "--evict",
                "--nodes",
                Files.writeString(folder.resolve("nodes.csv"), NODES).toString(),
                "--pods",
                Files.writeString(folder.resolve("pods.csv"), String.join("\n", lines) + "\n")
                    .toString()));
    arguments.addAll(List.of(options));
    var program = new TestingSurroundings();
    assertThat(program.run(arguments.toArray(String[]::new))).isZero();
    return program.out();
  }
}
