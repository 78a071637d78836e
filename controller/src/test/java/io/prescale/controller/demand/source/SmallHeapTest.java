package io.prescale.controller.demand.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.SmallHeap;
import org.junit.jupiter.api.Test;

class SmallHeapTest {
  @Test
  void noServerRunsAReplicaOutOfMemory() throws Exception {
    var output = SmallHeap.output("40m", HostileHistories.class);

    assertThat(output.lines().filter(line -> line.startsWith("["))).hasSize(6);
    assertThat(output).doesNotContain("[Found", " Found");
  }

  @Test
  void noLabelsOfPodsRunAReplicaOutOfMemory() throws Exception {
    var output = SmallHeap.output("64m", LabelsOfPods.class);

    assertThat(output.lines().filter("Found"::equals)).hasSize(8);
  }

  @Test
  void noNumberOfServersRunsAReplicaOutOfMemory() throws Exception {
    var output = SmallHeap.output("64m", HistoriesOfManyServers.class);

    assertThat(output.lines().filter("Found"::equals)).hasSize(200);
  }
}
