package io.prescale.controller.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.InputException;
import io.prescale.controller.simulation.replay.SharedFolder;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.PackingPolicy;
import io.prescale.placement.cluster.PackingPolicy.Direction;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.overcommit.MemoryUsage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodsCsvTest {
  private static final String HEADER = "name,cpu_milli,memory_mib,num_gpu,gpu_milli";

  @Test
  void readsTheOpenbFormat() throws Exception {
    var pods =
        read(
            HEADER
                + ",gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
                + "p0,12000,16384,1,1000,,LS,Running,0,12537496,0\n"
                + "p1,6000,12288,1,460,T4|P100,BE,Pending,5,,\n"
                + "p2,20000,65536,0,0,,LS,Running,2,3,2\n"
                + "p3,1,1,8,1000,,LS,Running,2,3,2\n");

    assertThat(pods)
        .extracting(pod -> pod.request().shape().demand())
        .containsExactly(
            GpuDemand.WholeGpu.ANY,
            new GpuDemand.Fraction(460),
            new GpuDemand.NoGpu(),
            GpuDemand.WholeGpu.ANY);
    assertThat(pods.getFirst().request().shape().host())
        .isEqualTo(new HostDemand(12_000, 16_384, ""));
    assertThat(pods.getFirst().deleted()).hasValue(12_537_496);
    assertThat(pods.get(1).request().shape().cards().models())
        .containsExactlyInAnyOrder("T4", "P100");
    assertThat(pods.get(1).deleted()).isEmpty();
    assertThat(pods.get(3).request().shape().gpus()).isEqualTo(8);
  }

  @Test
  void readsWhatTheTraceDoesNotHave() throws Exception {
    var pods =
        read(
            HEADER
                + ",gpu_memory_mib,mig_profile,vendors,excluded_models,uuids,excluded_uuids,links,node_packing,gpu_packing,image,queue,priority,preemptible,gang,gang_scope\n"
                + "p0,1,2,2,300,20480,,nvidia,K80,GPU-a|GPU-b,GPU-c,nvlink,spread,binpack,vllm,research,-5,yes,g1,rack\n"
                + "p1,1,2,1,0,,1g.10gb,,,,,,,,,,,,,\n");
    var request = pods.getFirst().request();
    var shape = request.shape();

    assertThat(shape.demand()).isEqualTo(new GpuDemand.Share(300, 20_480));
    assertThat(shape.cards().vendors()).containsExactly("nvidia");
    assertThat(shape.cards().excludedModels()).containsExactly("K80");
    assertThat(shape.cards().uuids()).containsExactlyInAnyOrder("GPU-a", "GPU-b");
    assertThat(shape.cards().excludedUuids()).containsExactly("GPU-c");
    assertThat(shape.links()).isEqualTo(LinkRequirement.required(LinkScope.NVLINK));
    assertThat(shape.packing()).isEqualTo(new PackingPolicy(Direction.SPREAD, Direction.BINPACK));
    assertThat(shape.host().image()).isEqualTo("vllm");
    assertThat(request.standing()).isEqualTo(new Standing("research", -5, true, Optional.of("g1")));
    assertThat(pods.getFirst().gangScope()).isEqualTo(NodesCsv.RACK);
    assertThat(pods.get(1).request().shape())
        .isEqualTo(
            RequestShape.of(1, new GpuDemand.MigInstance("1g.10gb"))
                .withHost(new HostDemand(1, 2, "")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      textBlock =
          """
          p1,1,2,1,1001 @ column gpu_milli: "1001" is not a whole number from 0 to 1000
          p1,1,2,1,0 @ column gpu_milli: is 0; give 1 to 1000, or gpu_memory_mib, or mig_profile
          p1,1,2,0,500 @ column num_gpu: is 0, but a part of a GPU is asked for
          p1,1,2,-1,500 @ column num_gpu: "-1" is not a whole number from 0 to 16
          p1,1,2,1,Inf @ column gpu_milli: "Inf" is not a whole number from 0 to 1000
          p1,,2,1,500 @ column cpu_milli: is empty
          p0,1,2,1,500 @ column name: "p0" is used above already
          p1,1,2 @ the row has only 3 fields and lacks num_gpu
          """)
  void namesFileLineAndFieldOfWhatItCannotRead(String row, String message) {
    assertThatThrownBy(() -> read(HEADER + "\np0,1,2,0,0\n" + row + "\n"))
        .isInstanceOf(InputException.class)
        .hasMessage("pods.csv, line 3: %s.", message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      textBlock =
          """
          deletion_time @ -1 @ "-1" is not a whole number from 0 to 100000000000
          links @ fast @ "fast" is none of none, numa-node, nvlink, pcie-host-bridge, pcie-switch, preferred
          node_packing @ tight @ "tight" is none of binpack, spread
          preemptible @ true @ "true" is none of no, yes
          priority @ 3000000000 @ "3000000000" is not a whole number from -2147483648 to 2147483647
          gang_scope @ rack @ needs a gang
          gang_minimum @ 2 @ needs a gang
          cards @ 0 @ is empty, but cards are named
          gpu_memory_mean_mib @ 5 @ and gpu_memory_deviation_mib go together
          gpu_spec @ T4||P100 @ has an empty name between its bars
          """)
  void refusesWhatMakesNoSense(String column, String field, String problem) {
    assertThatThrownBy(() -> read("%s,%s\np0,1,2,1,1000,%s\n".formatted(HEADER, column, field)))
        .isInstanceOf(InputException.class)
        .hasMessage(
            "pods.csv, line 2: column %s: %s.", column.equals("cards") ? "node" : column, problem);
  }

  @Test
  void readsAModelThatIsNamedTwiceAsSomeListsOfOpenbDo() throws Exception {
    var pods = read(HEADER + ",gpu_spec\np0,1,2,1,1000,V100M32|V100M16|V100M32\n");

    assertThat(pods.getFirst().request().shape().cards().models())
        .containsExactlyInAnyOrder("V100M16", "V100M32");
  }

  @Test
  void readsWhereAPodRunsAndWhatItUses() throws Exception {
    var pods =
        read(
            HEADER
                + ",node,cards,mig_profile,mig_slices,gpu_memory_mib,gpu_memory_mean_mib,gpu_memory_deviation_mib,gang,gang_minimum\n"
                + "p0,1,2,2,0,n0,1|3,1g.10gb,0|4,,,,,\n"
                + "p1,1,2,1,0,n0,2,,,8192,1024,512,g,3\n"
                + "p2,1,2,0,0,n1,,,,,,,g,5\n");

    assertThat(pods.get(0).place()).contains(new PodRow.Place("n0", List.of(1, 3), List.of(0, 4)));
    assertThat(pods.get(1).memoryUsage()).contains(new MemoryUsage(8192, 1024, 512));
    assertThat(pods.get(2).place()).contains(new PodRow.Place("n1", List.of(), List.of()));
    assertThat(PodRow.gangMinimum(pods)).isEqualTo(Map.of("g", 5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      textBlock =
          """
          n0,0,,,, @ column cards: does not name 2 different cards
          n0,0|0,,,, @ column cards: does not name 2 different cards
          n0,0|16,,,, @ column cards: "16" is not a whole number from 0 to 15
          n0,0|x,,,, @ column cards: "x" is not a whole number from 0 to 15
          n0,0|1,3,,, @ column mig_slices: has 1 and not 0
          n0,0|1,,,5,5 @ column gpu_memory_mean_mib: needs a share of a card with gpu_memory_mib
          n0,0|1,,100,500,5 @ column gpu_memory_mean_mib: does not fit: a mean of 500.0 MiB for a share of 100; give 0 to the share
          """)
  void refusesAPlaceOrAUseThatCannotBe(String fields, String problem) {
    assertThatThrownBy(
            () ->
                read(
                    HEADER
                        + ",node,cards,mig_slices,gpu_memory_mib,gpu_memory_mean_mib,gpu_memory_deviation_mib\n"
                        + "p0,1,2,2,500,"
                        + fields
                        + "\n"))
        .isInstanceOf(InputException.class)
        .hasMessage("pods.csv, line 2: %s.", problem);
  }

  @Test
  void refusesAPodThatIsDeletedBeforeItIsCreated() {
    assertThatThrownBy(() -> read(HEADER + ",creation_time,deletion_time\np0,1,2,1,1000,60,59\n"))
        .hasMessage("pods.csv, line 2: column deletion_time: is before creation_time.");
  }

  @Test
  void refusesMemoryBesideAMigProfile() {
    assertThatThrownBy(
            () -> read(HEADER + ",gpu_memory_mib,mig_profile\np0,1,2,1,0,1024,1g.10gb\n"))
        .hasMessage(
            "pods.csv, line 2: column mig_profile: already says how much memory; leave"
                + " gpu_memory_mib empty.");
  }

  /** As many pods as in openb's lists, in their columns and with values like theirs. */
  @Test
  void readsAGeneratedListOfOpenbsSize() throws Exception {
    var random = new SplittableRandom(1);
    var text =
        new StringBuilder(HEADER)
            .append(",gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n");
    var milli = new ArrayList<Integer>();
    for (int pod = 0; pod < 8152; pod++) {
      int cards = List.of(0, 1, 1, 1, 1, 1, 2, 8).get(random.nextInt(8));
      milli.add(cards == 0 ? 0 : cards == 1 ? 10 * random.nextInt(1, 101) : 1000);
      text.append(openbRow(pod, cards, milli.getLast(), random));
    }

    assertThat(read(text.toString()))
        .extracting(pod -> pod.request().shape().demand())
        .containsExactlyElementsOf(milli.stream().map(PodsCsvTest::demand).toList());
  }

  private static String openbRow(int pod, int cards, int milli, SplittableRandom random) {
    long created = random.nextLong(12_000_000);
    return "openb-pod-%04d,%d,%d,%d,%d,%s,%s,Running,%d,%s,%d\n"
        .formatted(
            pod,
            500 * random.nextInt(1, 257),
            1024 * random.nextInt(1, 400),
            cards,
            milli,
            cards > 0 && random.nextInt(10) == 0 ? "V100M16|V100M32" : "",
            List.of("LS", "BE", "Burstable", "Guaranteed").get(random.nextInt(4)),
            created,
            random.nextInt(20) == 0 ? "" : created + random.nextInt(1_000_000),
            created + 1);
  }

  private static GpuDemand demand(int milli) {
    return switch (milli) {
      case 0 -> new GpuDemand.NoGpu();
      case 1000 -> GpuDemand.WholeGpu.ANY;
      default -> new GpuDemand.Fraction(milli);
    };
  }

  /** As many pods as the lists have. */
  @ParameterizedTest
  @CsvSource({
    "default, 8152",
    "cpu100, 7853",
    "gpushare40, 8152",
    "gpuspec10, 8152",
    "multigpu20, 8324",
  })
  void readsTheListsOfOpenbAsTheyAre(String list, int count) throws Exception {
    var file =
        SharedFolder.require(
            "openb/pods-%s.csv".formatted(list), "that openb's own lists are read as they are");

    assertThat(PodsCsv.read(CsvFile.of(file))).hasSize(count);
  }

  private static List<PodRow> read(String text) throws Exception {
    return PodsCsv.read(
        new CsvFile(
            "pods.csv", () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
  }
}
