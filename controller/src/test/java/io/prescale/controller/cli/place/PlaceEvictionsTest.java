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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code prescale place} on a cluster where pods run already. */
class PlaceEvictionsTest {
  private static final String NODES =
      """
      sn,cpu_milli,memory_mib,gpu,model,gpu_memory_mib,rack
      n0,64000,262144,4,A100,81920,r0
      n1,64000,262144,4,A100,81920,r1
      """;
  private static final String PODS =
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,preemptible,priority,queue,node,cards,gang,gang_minimum,gang_scope";
  private static final String QUEUES =
      """
      name,guaranteed_milli,weight
      build,4000,1
      train,2000,1
      """;

  /** Training holds everything, in shapes of 1, 3 and 4 cards. */
  private static final List<String> BUSY =
      List.of(
          "t1,1,1,1,1000,yes,0,train,n0,0,,,",
          "t3,1,1,3,1000,yes,0,train,n0,1|2|3,,,",
          "t4,1,1,4,1000,yes,0,train,n1,0|1|2|3,,,");

  @TempDir private Path folder;
  private final TestingSurroundings program = new TestingSurroundings();

  @Test
  void evictsTheOnePodWhoseCardsFormTheShape() throws IOException {
    var pods = with("claim,1,1,4,1000,no,0,build,,,,,");

    assertThat(run(pods, "--queues", queues(), "--evict", "--json")).isZero();
    var json = json().at("/runs/0");
    assertThat(json.at("/evicted").asInt()).isEqualTo(1);
    assertThat(json.at("/pods/2/outcome").asText()).isEqualTo("evicted");
    assertThat(json.at("/pods/2/evicted_for").asText()).isEqualTo("claim");
    assertThat(json.at("/pods/3/outcome").asText()).isEqualTo("reclaimed");
    assertThat(json.at("/pods/3/victims/0").asText()).isEqualTo("t4");
    assertThat(json.at("/pods/3/proven_least").asBoolean()).isTrue();
  }

  @Test
  void evictsNobodyUnlessToldTo() throws IOException {
    assertThat(run(with("claim,1,1,4,1000,no,9,build,,,,,"), "--json")).isZero();
    assertThat(json().at("/runs/0/pods/3/outcome").asText()).isEqualTo("refused");
    assertThat(json().at("/runs/0/evicted").asInt()).isZero();
  }

  @Test
  void withoutQueuesOnlyLowerPriorityGives() throws IOException {
    assertThat(run(with("same,1,1,1,1000,no,0,,,,,,"), "--evict", "--explain", "same")).isZero();
    assertThat(program.out().lines())
        .contains(
            "It is refused: needs 1 GPU: 2 nodes lack idle GPUs; with evictions: needs 1 GPU:"
                + " without the work that may be evicted, of the nodes 2 lack idle GPUs.");

    assertThat(new PlaceEvictionsRun().explain(with("higher,1,1,1,1000,no,1,,,,,,"), "higher"))
        .endsWith("Why: it fits nowhere unless these leave, and fewer would not do:", "  t1");
  }

  @Test
  void explainsToAVictimForWhomItLeft() throws IOException {
    var pods = with("higher,1,1,1,1000,no,1,,,,,,");

    assertThat(new PlaceEvictionsRun().explain(pods, "t1"))
        .startsWith("t1 asks for 1 GPU.", "It is evicted from n0.")
        .endsWith("Why: it leaves for higher.");
    assertThat(new PlaceEvictionsRun().explain(pods, "t3"))
        .startsWith("t3 asks for 3 GPUs.", "It runs on n0.");
  }

  @Test
  void takesFromAQueueWhatItHasBeyondItsFairShareAndNoMore() throws IOException {
    var pods =
        with(
            "c1,1,1,4,1000,yes,0,build,,,,,",
            "c2,1,1,3,1000,yes,0,build,,,,,",
            "c3,1,1,1,1000,yes,0,build,,,,,");

    assertThat(run(pods, "--queues", queues(), "--evict", "--json")).isZero();
    assertThat(json().at("/runs/0/pods").findValuesAsText("outcome"))
        .containsExactly("evicted", "running", "evicted", "reclaimed", "refused", "reclaimed");
  }

  @Test
  void aGangGivesOnlyWhatItCanSpare() throws IOException {
    var pods =
        List.of(
            "g0,1,1,4,1000,yes,0,,n0,0|1|2|3,g,1,",
            "g1,1,1,4,1000,yes,0,,n1,0|1|2|3,g,1,",
            "first,1,1,4,1000,no,1,,,,,,",
            "second,1,1,1,1000,no,0,,,,,,");

    assertThat(run(pods, "--evict", "--json")).isZero();
    assertThat(json().at("/runs/0/pods").findValuesAsText("outcome"))
        .containsOnlyOnce("evicted", "running", "reclaimed", "refused");
  }

  @Test
  void evictsForAGangOnlyWithinItsScope() throws IOException {
    var pods = with("m0,1,1,3,1000,no,1,,,,m,,rack", "m1,1,1,3,1000,no,1,,,,m,,rack");

    assertThat(run(pods, "--evict", "--explain", "m0")).isZero();
    assertThat(program.out())
        .contains("; with evictions: the gang would be spread beyond one rack.");
  }

  @Test
  void plansTheMovesThatMakeRoom() throws IOException {
    var pods =
        List.of(
            "a,1,1,1,1000,yes,0,,n0,0,,,",
            "b,1,1,3,1000,no,0,,n1,0|1|2,,,",
            "wide,1,1,4,1000,no,0,,,,,,");

    assertThat(run(pods, "--moves-for", "wide")).isZero();
    assertThat(program.out().lines().toList())
        .endsWith(
            "1 move; it interrupts work on 1 GPU:",
            "    1  a: n0 card 0 to n1 card 3 (makes way)",
            "Then wide fits n0 cards 0, 1, 2, 3.");
  }

  @Test
  void saysWhenNoMovesMakeRoom() throws IOException {
    assertThat(run(with("wide,1,1,4,1000,no,0,,,,,,"), "--moves-for", "wide")).isZero();
    assertThat(program.out().lines().toList())
        .endsWith("No moves.", "No moves that are allowed make room for wide.");
  }

  @Test
  void movesWorkOffSickCardsFirst() throws IOException {
    var nodes = NODES.replace("rack\n", "rack,health\n").replace("r0\n", "r0,unhealthy\n");
    var pods = List.of("a,1,1,1,1000,yes,0,,n0,0,,,", "fixed,1,1,1,1000,no,0,,n0,1,,,");

    assertThat(runOn(nodes.replace("r1\n", "r1,\n"), pods, "--moves", "3", "--json")).isZero();
    var moves = json().at("/moves");
    assertThat(moves.at("/steps/0/pod").asText()).isEqualTo("a");
    assertThat(moves.at("/steps/0/reason").asText()).isEqualTo("sick_card");
    assertThat(moves.at("/steps/0/to/node").asText()).isEqualTo("n1");
    assertThat(moves.at("/stuck/0").asText()).isEqualTo("fixed");
    assertThat(moves.at("/cost_milli").asInt()).isEqualTo(1000);
  }

  @Test
  void readsItsOwnPlacesAsRunningPods() throws IOException {
    assertThat(run(BUSY, "--json")).isZero();
    assertThat(program.out()).contains("\"running\"").doesNotContain("\"placed\" : 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      textBlock =
          """
          x,1,1,1,1000,no,0,,n9,0,,, @ runs on node n9, which does not exist.
          x,1,1,1,1000,no,0,,n0,4,,, @ asks for any memory, which card 4 of n0 cannot be.
          x,1,1,1,1000,no,0,,n0,0,g,, @ is of gang g, which has both running and waiting pods.
          """)
  void refusesAPlaceThatIsNotThere(String pod, String problem) throws IOException {
    assertThat(run(List.of("w,1,1,1,1000,no,0,,,,g,,", pod))).isEqualTo(3);
    assertThat(program.err()).endsWith("pods.csv: pod \"x\" " + problem + "\n");
  }

  @Test
  void stacksSharesByRiskAndByFactor() throws IOException {
    var header =
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_memory_mib,node,cards,gpu_memory_mean_mib,gpu_memory_deviation_mib";
    var pods =
        List.of(
            header,
            "i0,1,1,1,0,40960,n,0,2048,512",
            "i1,1,1,1,0,40960,n,0,2048,512",
            "new,1,1,1,0,40960,,,,");
    var nodes = "sn,cpu_milli,memory_mib,gpu,model,gpu_memory_mib\nn,64000,262144,1,A100,81920\n";

    for (var rule : List.of("factor=1.5", "risk=1%", "independent-risk=0.1%")) {
      var again = new TestingSurroundings();
      assertThat(again.run(arguments(nodes, pods, "--overcommit", rule))).isZero();
      assertThat(again.out()).as(rule).containsPattern("prescale +1 +0 +0 ");
    }
    assertThat(program.run(arguments(nodes, pods))).isZero();
    assertThat(program.out()).containsPattern("prescale +0 +1 +0 ");
  }

  @Test
  void queuesTakeTurnsInFairOrder() throws IOException {
    var pods = new ArrayList<String>();
    for (int i = 0; i < 8; i++) {
      pods.add("t%d,1,1,1,1000,yes,0,train,,,,,".formatted(i));
    }
    for (int i = 0; i < 8; i++) {
      pods.add("b%d,1,1,1,1000,yes,0,build,,,,,".formatted(i));
    }

    assertThat(run(pods, "--queues", queues(), "--fair", "--json")).isZero();
    var outcomes = json().at("/runs/0/pods").findValuesAsText("outcome");
    assertThat(outcomes.subList(0, 8)).filteredOn("placed"::equals).hasSize(3);
    assertThat(outcomes.subList(8, 16)).filteredOn("placed"::equals).hasSize(5);
  }

  @Test
  void firstComeFirstServedWithoutFairOrder() throws IOException {
    var pods = new ArrayList<String>();
    for (int i = 0; i < 8; i++) {
      pods.add("t%d,1,1,1,1000,yes,0,train,,,,,".formatted(i));
    }
    pods.add("b,1,1,1,1000,yes,0,build,,,,,");

    assertThat(run(pods, "--queues", queues(), "--json")).isZero();
    assertThat(json().at("/runs/0/pods/8/outcome").asText()).isEqualTo("refused");
  }

  @Test
  void spreadsPodsOfHighPriorityOverNodes() throws IOException {
    var pods = List.of("a,1,1,1,1000,no,9,,,,,,", "b,1,1,1,1000,no,9,,,,,,");

    assertThat(run(pods, "--spread-from", "5", "--json")).isZero();
    assertThat(json().at("/runs/0/pods").findValuesAsText("node")).containsExactly("n0", "n1");
  }

  /** One more run of the command, since each surroundings serve one. */
  private final class PlaceEvictionsRun {
    List<String> explain(List<String> pods, String name) throws IOException {
      var again = new TestingSurroundings();
      var lines = new ArrayList<>(List.of(PODS));
      lines.addAll(pods);
      assertThat(again.run(arguments(NODES, lines, "--evict", "--explain", name))).isZero();
      return again.out().lines().toList();
    }
  }

  private static List<String> with(String... waiting) {
    var pods = new ArrayList<>(BUSY);
    pods.addAll(List.of(waiting));
    return pods;
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(program.out());
  }

  private String queues() throws IOException {
    return Files.writeString(folder.resolve("queues.csv"), QUEUES).toString();
  }

  private int run(List<String> pods, String... options) throws IOException {
    return runOn(NODES, pods, options);
  }

  private int runOn(String nodes, List<String> pods, String... options) throws IOException {
    var lines = new ArrayList<>(List.of(PODS));
    lines.addAll(pods);
    return program.run(arguments(nodes, lines, options));
  }

  private String[] arguments(String nodes, List<String> pods, String... options)
      throws IOException {
    var arguments =
        new ArrayList<>(
            List.of(
                "place",
                "--nodes",
                Files.writeString(folder.resolve("nodes.csv"), nodes).toString(),
                "--pods",
                Files.writeString(folder.resolve("pods.csv"), String.join("\n", pods) + "\n")
                    .toString()));
    arguments.addAll(List.of(options));
    return arguments.toArray(String[]::new);
  }
}
