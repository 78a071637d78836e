package io.prescale.controller.lab;

import static io.prescale.controller.lab.ExtenderCluster.annotation;
import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The real kube-scheduler with the extender, on a fake node with two of Cambricon's cards. */
class CambriconLabIT {
  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(0);

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: mlu-0}
      status:
        capacity: &has {cpu: "128", memory: 1Ti, pods: "250", \
      cambricon.com/mlu.smlu.vcore: "200", cambricon.com/mlu.smlu.vmemory: "192"}
        allocatable: *has
      """;

  /** Two cards of 96 units of memory: four shares of 40 % of the compute, and one of the rest. */
  @Test
  void sharesOfCambriconAreHandedOverOneByOne() throws Exception {
    var cluster = EXTENDER.cluster();
    var lab = cluster.lab();
    lab.apply(NODE);
    lab.apply(mlus("share", 5, 40, 32));

    cluster.awaitBound(4);
    patiently()
        .untilAsserted(
            () ->
                assertThat(cluster.podsNamed("share"))
                    .filteredOn(pod -> annotation(pod, "CAMBRICON_DSMLU_ASSIGHED").equals("true"))
                    .extracting(pod -> annotation(pod, "CAMBRICON_DSMLU_PROFILE"))
                    .containsExactlyInAnyOrder("0_40_32", "0_40_32", "1_40_32", "1_40_32"));
    patiently()
        .untilAsserted(
            () ->
                assertThat(lab.kubectl("get", "pods", "-o", "yaml"))
                    .contains("GPU: lacks compute"));
    lab.apply(mlus("rest", 1, 20, 32));
    cluster.awaitBound(5);
    assertThat(cluster.plugins().complaints()).isEmpty();
  }

  private static String mlus(String name, int pods, int cores, int memory) {
    return IntStream.range(0, pods)
        .mapToObj(
            pod ->
                """
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: %s-%d, namespace: default}
                spec:
                  containers:
                  - name: main
                    image: model
                    resources:
                      limits: {cambricon.com/vmlu: "1", cambricon.com/mlu.smlu.vcore: "%d", \
                cambricon.com/mlu.smlu.vmemory: "%d"}
                """
                    .formatted(name, pod, cores, memory))
        .collect(Collectors.joining());
  }
}
