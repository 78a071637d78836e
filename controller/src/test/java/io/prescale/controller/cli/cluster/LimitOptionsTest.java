package io.prescale.controller.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitOptionsTest {
  /** By the address that every pod of the cluster has in its environment. */
  @Test
  void noPredictiveHpaMayNameTheApiServer() {
    var limits = new LimitOptions().limits(Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1"));

    assertThat(limits.servers().apiServers()).containsExactly("10.96.0.1");
  }

  @Test
  void outsideOfAClusterNoAddressIsKnown() {
    assertThat(new LimitOptions().limits(Map.of()).servers().apiServers()).isEmpty();
  }
}
