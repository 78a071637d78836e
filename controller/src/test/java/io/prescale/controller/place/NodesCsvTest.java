package io.prescale.controller.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.InputException;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.topology.KnownMachines;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodesCsvTest {
  private static final String HEADER = "sn,cpu_milli,memory_mib,gpu,model";

  @Test
  void readsTheOpenbFormatAsCardsThatCanBeShared() throws Exception {
    var nodes = read(HEADER + "\nn0,64000,262144,2,P100\nn1,96000,524288,0,\n");

    assertThat(nodes).extracting(NodeSpec::name).containsExactly("n0", "n1");
    assertThat(nodes.getFirst().cpuMilli()).isEqualTo(64_000);
    assertThat(nodes.getFirst().memoryMib()).isEqualTo(262_144);
    assertThat(nodes.getFirst().gpus())
        .extracting(Gpu::uuid, Gpu::model, Gpu::partitioning, Gpu::slots)
        .containsExactly(
            tuple("n0-gpu-0", "P100", Partitioning.HAMI_CORE, 1000),
            tuple("n0-gpu-1", "P100", Partitioning.HAMI_CORE, 1000));
    assertThat(nodes.get(1).gpus()).isEmpty();
  }

  @Test
  void readsWhatTheTraceDoesNotHave() throws Exception {
    var nodes =
        read(
            HEADER
                + ",vendor,gpu_memory_mib,partitioning,slots,uuids,health,machine,nvlink_domain,rack,block,images,readiness\n"
                + "n0,1000,2,2,A100,amd,81920,whole|mig,4,GPU-a|GPU-b,usable|unhealthy,,d1,r2,b3,vllm|tgi,cordoned\n"
                + "n1,1000,2,8,H100,,,,,,,hgx-h100,,,,,\n");
    var node = nodes.getFirst();

    assertThat(node.gpus()).extracting(Gpu::uuid).containsExactly("GPU-a", "GPU-b");
    assertThat(node.gpus()).extracting(Gpu::vendor).containsOnly("amd");
    assertThat(node.gpus()).extracting(Gpu::memoryMib).containsOnly(81_920);
    assertThat(node.gpus())
        .extracting(Gpu::partitioning)
        .containsExactly(Partitioning.WHOLE, Partitioning.MIG);
    assertThat(node.gpus().get(1).migProfile("3g.40gb")).isPresent();
    assertThat(node.gpus().get(1).health().state()).isEqualTo(GpuHealth.State.UNHEALTHY);
    assertThat(NodesCsv.RACK.domainOf(node)).isEqualTo("b3/r2");
    assertThat(node.images()).containsExactlyInAnyOrder("vllm", "tgi");
    assertThat(node.readiness()).isEqualTo(Readiness.CORDONED);
    assertThat(nodes.get(1).links()).contains(KnownMachines.hgxH100());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          n1,-1,2,0, | nodes.csv, line 3: column cpu_milli: "-1" is not a whole number from 0 to 100000000.
          n1,1,2.5,0, | nodes.csv, line 3: column memory_mib: "2.5" is not a whole number from 0 to 1073741824.
          n1,1,99999999999999999999,0, | nodes.csv, line 3: column memory_mib: "99999999999999999999" is not a whole number from 0 to 1073741824.
          n1,1,2,17,T4 | nodes.csv, line 3: column gpu: "17" is not a whole number from 0 to 16.
          n1,1,2,NaN,T4 | nodes.csv, line 3: column gpu: "NaN" is not a whole number from 0 to 16.
          n1,1,2,1, | nodes.csv, line 3: column model: is empty.
          ,1,2,1,T4 | nodes.csv, line 3: column sn: is empty.
          n0,1,2,1,T4 | nodes.csv, line 3: column sn: "n0" is used above already.
          n1,1,2,1 | nodes.csv, line 3: the row has only 4 fields and lacks model.
          """)
  void namesFileLineAndFieldOfWhatItCannotRead(String row, String message) {
    assertThatThrownBy(() -> read(HEADER + "\nn0,1,2,0,\n" + row + "\n"))
        .isInstanceOf(InputException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      textBlock =
          """
          partitioning @ half @ "half" is none of hami-core, mig, mps, time-sliced, vgpu, whole
          health @ usable|usable|usable @ has 3 values for 2 cards; give one, or one each
          machine @ hgx-h100 @ such a machine has 8 cards and this node 2
          machine @ dgx-2 @ "dgx-2" is none of dgx-a100, dgx1-v100, hgx-h100, pcie
          uuids @ GPU-a @ has 1 UUIDs for 2 cards; give one each
          uuids @ GPU-a|GPU-a @ has one UUID twice
          images @ a||b @ has an empty name between its bars
          readiness @ maybe @ "maybe" is none of cordoned, not-ready, ready
          """)
  void refusesWhatContradictsItself(String column, String field, String problem) {
    assertThatThrownBy(() -> read("%s,%s\nn0,1,2,2,T4,%s\n".formatted(HEADER, column, field)))
        .isInstanceOf(InputException.class)
        .hasMessage("nodes.csv, line 2: column %s: %s.", column, problem);
  }

  @Test
  void refusesColumnsThatItDoesNotKnowSinceTheyMayMatter() {
    assertThatThrownBy(() -> read(HEADER + ",memmory\nn0,1,2,0,,7\n"))
        .isInstanceOf(InputException.class)
        .hasMessageStartingWith("nodes.csv, line 1: no column is called \"memmory\" here; the")
        .hasMessageContaining("gpu_memory_mib");
  }

  @Test
  void refusesNothingAtAll() {
    assertThatThrownBy(() -> read(""))
        .hasMessage("nodes.csv: is empty; it needs a header such as " + HEADER + " and rows.");
    assertThatThrownBy(() -> read(HEADER + "\n"))
        .hasMessage("nodes.csv: has a header but no rows.");
  }

  @Test
  void readsWhatIsKnownOfEachCardsCondition() throws Exception {
    var nodes =
        read(
            HEADER
                + ",temperature_celsius,power_watts,power_limit_watts,corrected_ecc,uncorrected_ecc,xids,throttled\n"
                + "n0,1,2,2,A100,-|91,300|-,400|-,-|7,0|1,-|79+48,no|yes\n");
    var cool = nodes.getFirst().gpus().getFirst().health();
    var sick = nodes.getFirst().gpus().getLast().health();

    assertThat(cool).isEqualTo(GpuHealth.UNKNOWN.withPower(300, 400));
    assertThat(sick)
        .isEqualTo(
            GpuHealth.UNKNOWN
                .withTemperature(91)
                .withErrors(7, 1, List.of(79, 48))
                .withThrottled(true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      textBlock =
          """
          temperature_celsius @ 40|50|60 @ has 3 values for 2 cards; give one, or one each
          temperature_celsius @ NaN @ "NaN" is not a whole number from 0 to 200
          temperature_celsius @ -5 @ "-5" is not a whole number from 0 to 200
          power_watts @ 300 @ and power_limit_watts go together for each card
          uncorrected_ecc @ 99999999999999999999 @ "99999999999999999999" is not a whole number from 0 to 1000000000000
          xids @ 79+ @ "79+" is not a list of codes such as 79+48
          xids @ 0 @ "0" is not a whole number from 1 to 1000
          throttled @ - @ "-" is none of no, yes
          """)
  void refusesAConditionThatCannotBeRead(String column, String field, String problem) {
    assertThatThrownBy(() -> read("%s,%s\nn0,1,2,2,A100,%s\n".formatted(HEADER, column, field)))
        .isInstanceOf(InputException.class)
        .hasMessage("nodes.csv, line 2: column %s: %s.", column, problem);
  }

  @Test
  void readsTheLinksOfEachPairOfCards() throws Exception {
    var links =
        read(HEADER + ",links\nn0,1,2,3,V100,NV2+PIX|SYS|NV1\n").getFirst().links().orElseThrow();

    assertThat(links.score(0, 1)).isEqualTo(250);
    assertThat(links.score(2, 0)).isEqualTo(10);
    assertThat(links.score(1, 2)).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      textBlock =
          """
          3 @ PIX|PIX @ has 2 words for the 3 pairs of 3 cards
          2 @ NV65 @ "NV65" is none of NV1 to NV64, PIX, PXB, PHB, NODE, SYS and PSB, nor two of them as NV4+PIX
          2 @ PIX+SYS @ "PIX+SYS" is none of NV1 to NV64, PIX, PXB, PHB, NODE, SYS and PSB, nor two of them as NV4+PIX
          2 @ NV1+ @ "NV1+" is none of NV1 to NV64, PIX, PXB, PHB, NODE, SYS and PSB, nor two of them as NV4+PIX
          """)
  void refusesLinksThatCannotBe(int cards, String field, String problem) {
    assertThatThrownBy(() -> read("%s,links\nn0,1,2,%d,V100,%s\n".formatted(HEADER, cards, field)))
        .hasMessage("nodes.csv, line 2: column links: %s.", problem);
  }

  @Test
  void refusesLinksBesideAMachine() {
    var pairs = "SYS|".repeat(27) + "SYS";

    assertThatThrownBy(() -> read(HEADER + ",links,machine\nn0,1,2,8,V100," + pairs + ",pcie\n"))
        .hasMessage(
            "nodes.csv, line 2: column links: and machine say the same; leave one of them empty.");
  }

  private static List<NodeSpec> read(String text) throws Exception {
    return NodesCsv.read(
        new CsvFile(
            "nodes.csv", () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
  }
}
