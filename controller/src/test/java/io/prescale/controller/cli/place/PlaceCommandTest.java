package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaceCommandTest {
  private static final String NODES =
      """
      sn,cpu_milli,memory_mib,gpu,model
      n0,64000,262144,2,T4
      n1,64000,262144,2,T4
      """;
  private static final String PODS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli";

  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();
  private Path nodes = Path.of("");

  @BeforeEach
  void writeNodes() throws IOException {
    nodes = write("nodes.csv", NODES);
  }

  @Test
  void placesWhatFitsAndSaysWhyTheRestDoesNot() throws IOException {
    assertThat(place("a,1000,1024,2,1000", "b,1000,1024,1,1000", "c,1000,1024,2,1000")).isZero();
    assertThat(program.out().lines())
        .startsWith("2 nodes with 4 GPUs; 3 pods.")
        .anyMatch(line -> line.matches("prescale +2 +1 +0 +75\\.00 .*"))
        .contains(
            "        1  most nodes lack idle GPUs",
            "           such as c: needs 2 GPUs: 2 nodes lack idle GPUs");
  }

  @Test
  void writesWhereEachPodIs() throws IOException {
    var file = folder.resolve("placements.csv");

    assertThat(
            place(List.of("--out", file.toString()), "a,1,1,2,1000", "b,1,1,1,400", "c,1,1,3,1000"))
        .isZero();
    assertThat(Files.readAllLines(file))
        .containsExactly(
            "pod,node,cards,uuids,compute_milli,memory_mib,mig,reason",
            "a,n0,0|1,n0-gpu-0|n0-gpu-1,1000|1000,0|0,|,",
            "b,n1,0,n1-gpu-0,400,0,,",
            "c,,,,,,,needs 3 GPUs: 2 nodes have too few GPUs");
  }

  @Test
  void placesAGangAsAWholeOrNotAtAll() throws IOException {
    var pods = new ArrayList<>(List.of(PODS + ",gang"));
    for (int member = 0; member < 5; member++) {
      pods.add("g%d,1,1,1,1000,g".formatted(member));
    }
    pods.add("alone,1,1,1,1000,");

    assertThat(run(pods)).isZero();
    assertThat(program.out().lines())
        .anyMatch(line -> line.matches("prescale +1 +5 +0 +25\\.00 .*"))
        .anyMatch(line -> line.contains("4 of 5 members of g fit"));
  }

  @Test
  void holdsTheLimitsOfQueues() throws IOException {
    var queues =
        write(
            "queues.csv",
            "name,parent,guaranteed_milli,limit_milli\nall,,3000,3000\nq,all,1000,\n");
    var pods =
        List.of(
            PODS + ",queue,preemptible",
            "firm,1,1,1,1000,q,no",
            "toofirm,1,1,1,1000,q,no",
            "borrows,1,1,2,1000,q,yes",
            "toomuch,1,1,1,1000,q,yes");

    assertThat(run(pods, "--queues", queues.toString(), "--json")).isZero();
    var json = new ObjectMapper().readTree(program.out());
    assertThat(json.at("/runs/0/placed").asInt()).isEqualTo(2);
    assertThat(json.at("/runs/0/pods/1/reason").asText())
        .isEqualTo(
            "queue q would use 2000 milli-GPU for work that must not be evicted, 1000 are"
                + " guaranteed");
    assertThat(json.at("/runs/0/pods/3/reason").asText())
        .isEqualTo("queue all would use 4000 milli-GPU, its limit is 3000");
  }

  @Test
  void comparesPoliciesWhenMoreArrivesThanFits() throws IOException {
    var options = List.of("--arrivals", "130%", "--runs", "2", "--policy", "prescale,bestfit");

    assertThat(place(options, "a,1,1,1,300", "b,1,1,1,700", "c,1,1,1,1000")).isZero();
    assertThat(program.out().lines())
        .startsWith("Pods requesting 130 % of the GPUs arrive and stay; means of 2 runs.")
        .anyMatch(line -> line.startsWith("prescale "))
        .anyMatch(line -> line.startsWith("bestfit "));
  }

  @Test
  void letsPodsComeAndGoWithTheirLifetimes() throws IOException {
    var pods =
        List.of(
            PODS + ",creation_time,deletion_time",
            "a,1,1,1,300,0,100",
            "b,1,1,1,700,50,51",
            "c,1,1,1,1000,7,7");

    assertThat(run(pods, "--lifetimes", "80%", "--policy", "prescale,fgd")).isZero();
    assertThat(program.out().lines())
        .startsWith("Pods come and go, requesting 80 % of the GPUs on average; one run.")
        .anyMatch(line -> line.startsWith("fgd "));
  }

  @Test
  void samplesChurnOverTimeInJson() throws IOException {
    var pods = List.of(PODS + ",creation_time,deletion_time", "a,1,1,1,300,0,100000");

    assertThat(run(pods, "--lifetimes", "80%", "--json")).isZero();
    var samples = new ObjectMapper().readTree(program.out()).at("/runs/0/samples");
    assertThat(samples).hasSize(20);
    assertThat(samples.at("/19/second").asLong()).isGreaterThan(samples.at("/0/second").asLong());
    assertThat(samples.at("/19/unallocated_percent").asDouble()).isBetween(0.0, 100.0);
  }

  @Test
  void explainsInJsonToo() throws IOException {
    assertThat(place(List.of("--explain", "b", "--json"), "a,1,1,2,1000", "b,1,1,3,1000")).isZero();
    var json = new ObjectMapper().readTree(program.out());
    assertThat(json.at("/outcome").asText()).isEqualTo("refused");
    assertThat(json.at("/nodes/n0").asText()).isEqualTo("has too few GPUs");

    var again = new TestingSurroundings();
    again.run(arguments(List.of(PODS, "a,1,1,2,1000"), List.of("--explain", "a", "--json")));
    var placed = new ObjectMapper().readTree(again.out());
    assertThat(placed.at("/cards/1/card").asInt()).isEqualTo(1);
    assertThat(placed.at("/why").asText()).startsWith("n0 ");
    assertThat(placed.at("/costs/least fragmentation").isNumber()).isTrue();
  }

  @Test
  void needsLifetimesOfEveryPod() throws IOException {
    assertThat(place(List.of("--lifetimes", "80%"), "a,1,1,1,300")).isEqualTo(3);
    assertThat(program.err())
        .isEqualTo(
            "Pod a lacks creation_time or deletion_time; --lifetimes needs both for every pod.\n");
  }

  @Test
  void givesTheSameExperimentForTheSameSeed() throws IOException {
    var options = List.of("--arrivals", "120%", "--seed", "7", "--json");
    var again = new TestingSurroundings();

    assertThat(place(options, "a,1,1,1,300", "b,1,1,1,450")).isZero();
    again.run(arguments(List.of(PODS, "a,1,1,1,300", "b,1,1,1,450"), options));
    assertThat(samples(program)).isEqualTo(samples(again));
  }

  private static String samples(TestingSurroundings of) throws IOException {
    return new ObjectMapper().readTree(of.out()).at("/runs/0/samples").toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --policy fgd2            | Invalid value for option '--policy' (NAME): there is no policy "fgd2"; choose from prescale, fgd, bestfit. Did you mean fgd?
          --arrivals much          | Invalid value for option '--arrivals': "much" is not a whole percentage; write one such as 95%
          --arrivals 0%            | Invalid value for option '--arrivals': 0% is out of range; give 1% to 1000%
          --runs 2                 | --runs has no effect without --arrivals or --lifetimes; add one, or remove --runs.
          --arrivals 130% --runs 0 | --runs is 0; it must be from 1 to 1000.
          --arrivals 130% --explain a | --arrivals and --lifetimes can only be combined with --policy, --runs, --seed and --json.
          --arrivals 130% --lifetimes 90% | --arrivals and --lifetimes are different experiments; choose one.
          --explain absent         | --explain: the file has no pod named absent.
          --arrivals 130% --evict  | --arrivals and --lifetimes can only be combined with --policy, --runs, --seed and --json.
          --policy fgd,bestfit --explain a | --explain, --out and --moves apply to one policy; name one with --policy.
          --explain a --moves 3    | --explain and --moves print different results; choose one.
          --fair                   | --fair has no effect without --queues; add it, or remove --fair.
          --moves 0                | --moves is 0; it must be from 1 to 10000.
          --moves-for a            | --moves-for: pod a already has a place; name a refused pod.
          --moves-for absent       | --moves-for: the file has no pod named absent.
          --overcommit 1.5         | Invalid value for option '--overcommit': "1.5" is not an overcommit rule; write factor=1.5, risk=0.1% or independent-risk=0.1%
          --overcommit factor=0.5  | Invalid value for option '--overcommit': a factor of 0.5; give 1 to 10
          --overcommit factor=NaN  | Invalid value for option '--overcommit': "factor=NaN" is not an overcommit rule
          --overcommit risk=1e9999999% | Invalid value for option '--overcommit': "risk=1e9999999%" is not an overcommit rule
          --overcommit risk=60%    | Invalid value for option '--overcommit': a risk of 60 %; give 0.0001 % to 50 %
          """)
  void refusesOptionsThatMakeNoSense(String options, String message) throws IOException {
    assertThat(place(List.of(options.split(" ")), "a,1,1,1,300")).isEqualTo(2);
    assertThat(program.errLines().getFirst()).startsWith(message);
  }

  @Test
  void asksForItsFiles() {
    assertThat(program.run("place", "--pods", "pods.csv")).isEqualTo(2);
    assertThat(program.errLines().getFirst())
        .isEqualTo("--nodes is missing; a placement needs --nodes FILE and --pods FILE.");
  }

  @Test
  void saysWhichFileIsMissing() {
    assertThat(program.run("place", "--nodes", "nowhere.csv", "--pods", "pods.csv")).isEqualTo(4);
    assertThat(program.errLines()).containsExactly("nowhere.csv: there is no such file.");
  }

  @Test
  void refusesAPodOfAQueueThatIsNotThere() throws IOException {
    var queues = write("queues.csv", "name,parent\nall,\nq,all\n");

    assertThat(run(List.of(PODS + ",queue", "a,1,1,1,1000,all"), "--queues", queues.toString()))
        .isEqualTo(3);
    assertThat(program.err())
        .endsWith("pod \"a\" is of queue \"all\"; the queues that can hold pods are q.\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      textBlock =
          """
          q,other,,, @ line 2: column parent: no row above is named "other"; put a parent before its children.
          q,,5,4, @ line 2: column limit_milli: "4" is not a whole number from 5 to 1000000000.
          q,,-5,, @ line 2: column guaranteed_milli: "-5" is not a whole number from 0 to 1000000000.
          q,,,,1001 @ line 2: column weight: "1001" is not a whole number from 0 to 1000.
          """)
  void refusesQueuesThatMakeNoSense(String row, String message) throws IOException {
    var queues =
        write("queues.csv", "name,parent,guaranteed_milli,limit_milli,weight\n" + row + "\n");

    assertThat(run(List.of(PODS + ",queue", "a,1,1,1,1000,q"), "--queues", queues.toString()))
        .isEqualTo(3);
    assertThat(program.err()).endsWith("queues.csv, " + message + "\n");
  }

  @Test
  void refusesChildrenThatAreGuaranteedMoreThanTheirParent() throws IOException {
    var queues = write("queues.csv", "name,parent,guaranteed_milli\nall,,1\nq,all,2\n");

    assertThat(run(List.of(PODS + ",queue", "a,1,1,1,1000,q"), "--queues", queues.toString()))
        .isEqualTo(3);
    assertThat(program.err())
        .endsWith(
            "queues.csv: queue all guarantees its children 2 milli-GPU but has only 1 guaranteed"
                + " itself; raise its own.\n");
  }

  private int place(String... pods) throws IOException {
    return place(List.of(), pods);
  }

  private int place(List<String> options, String... pods) throws IOException {
    var lines = new ArrayList<>(List.of(PODS));
    lines.addAll(List.of(pods));
    return run(lines, options.toArray(String[]::new));
  }

  private int run(List<String> pods, String... options) throws IOException {
    return program.run(arguments(pods, List.of(options)));
  }

  private String[] arguments(List<String> pods, List<String> options) throws IOException {
    var arguments = new ArrayList<>(List.of("place", "--nodes", nodes.toString(), "--pods"));
    arguments.add(write("pods.csv", String.join("\n", pods) + "\n").toString());
    arguments.addAll(options);
    return arguments.toArray(String[]::new);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
