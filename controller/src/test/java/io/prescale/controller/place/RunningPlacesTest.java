package io.prescale.controller.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.input.CsvFile;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.MigSlot;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RunningPlacesTest {
  private static final String NODES =
      """
      sn,cpu_milli,memory_mib,gpu,model,gpu_memory_mib,partitioning
      m,64000,262144,1,NVIDIA-A100-SXM4-80GB,81920,mig
      s,64000,262144,1,NVIDIA-A100-SXM4-80GB,81920,hami-core
      """;
  private static final String PODS =
      "name,cpu_milli,memory_mib,num_gpu,gpu_milli,mig_profile,node,cards,mig_slices\n";

  @Test
  void putsMigInstancesAtTheirSlices() throws Exception {
    var cluster = cluster("a,1,1,1,0,1g.10gb,m,0,2\nb,1,1,1,0,3g.40gb,m,0,4\n");

    assertThat(cluster.placements())
        .extracting(placement -> placement.shares().getFirst().mig().orElseThrow())
        .containsExactly(new MigSlot("1g.10gb", 2, 1), new MigSlot("3g.40gb", 4, 4));
  }

  @Test
  void takesMoreThanACardHasAsAFact() throws Exception {
    var cluster = cluster("a,1,1,1,800,,s,0,\nb,1,1,1,800,,s,0,\n");

    assertThat(cluster.find("s").orElseThrow().freeComputeMilli(0)).isEqualTo(-600);
  }

  @Test
  void refusesInstancesThatOverlapOrLieWhereTheyMayNot() {
    assertThatThrownBy(() -> cluster("a,1,1,1,0,1g.10gb,m,0,4\nb,1,1,1,0,3g.40gb,m,0,4\n"))
        .hasMessage(
            "pods.csv: pod \"b\" has MIG 3g.40gb at slice 4 of card 0 of m, which another instance"
                + " uses.");
    assertThatThrownBy(() -> cluster("a,1,1,1,0,3g.40gb,m,0,2\n"))
        .hasMessage("pods.csv: pod \"a\" has MIG 3g.40gb at slice 2, where it cannot start.");
    assertThatThrownBy(() -> cluster("a,1,1,1,0,9g.90gb,m,0,0\n"))
        .hasMessage("pods.csv: pod \"a\" asks for MIG 9g.90gb, which card 0 of m cannot serve.");
  }

  private static ClusterSnapshot cluster(String pods) throws Exception {
    return new RunningPlaces("pods.csv")
        .addTo(
            ClusterSnapshot.of(NodesCsv.read(file("nodes.csv", NODES))),
            PodsCsv.read(file("pods.csv", PODS + pods)));
  }

  private static CsvFile file(String name, String text) {
    return new CsvFile(name, () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }
}
