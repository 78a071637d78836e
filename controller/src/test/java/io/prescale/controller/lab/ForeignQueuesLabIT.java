package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queues of other systems, by their own definitions, keep pods of kube-scheduler waiting. Those
 * systems do not run: what Kueue would label is labelled by the test.
 */
class ForeignQueuesLabIT {
  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(2);

  @TempDir private Path folder;

  @BeforeAll
  static void definitions() throws IOException, InterruptedException {
    var definitions = Lab.platforms();
    for (var file : new String[] {"kueue-*queues", "kueue-*cohorts", "volcano-*queues"}) {
      try (var found = Files.newDirectoryStream(definitions, file + ".yaml")) {
        for (var path : found) {
          lab().kubectl("apply", "--server-side", "-f", path.toString());
        }
      }
    }
    MinimalDefinition.KAI_QUEUE.install(lab());
    lab().awaitDefinitions();
    new QueuesOnEightCards(EXTENDER).prepare();
  }

  @Test
  void aClusterQueueOfKueueIsALimitThatFollowsItsQuota() throws Exception {
    startReading("kueue");
    lab().apply(clusterQueue(3));
    var label = ", labels: {kueue.x-k8s.io/cluster-queue-name: research}";
    lab().apply(HamiVendor.HYGON.pods("research", 8, 32_768, label));
    awaitBound(3);
    awaitReason("queue research has 3 of at most 3 cards, and the pod asks for 1");

    lab().apply(clusterQueue(5));

    awaitBound(5);
    assertThat(lab().kubectl("get", "clusterqueue", "research", "-o", "jsonpath={.status}"))
        .as("nothing is written to a foreign queue")
        .isEmpty();
  }

  /** As Kueue before 0.17, or without the gate that labels pods, leaves them. */
  @Test
  void podsThatNameALocalQueueOnlyAreOfItsClusterQueue() throws Exception {
    startReading("kueue");
    lab().apply(clusterQueue(2));
    var label = ", labels: {kueue.x-k8s.io/queue-name: team}";
    lab().apply(LOCAL_QUEUE + HamiVendor.HYGON.pods("research", 4, 32_768, label));

    awaitBound(2);
    awaitReason("queue research has 2 of at most 2 cards, and the pod asks for 1");
  }

  private static final String LOCAL_QUEUE =
      """
      apiVersion: kueue.x-k8s.io/v1beta2
      kind: LocalQueue
      metadata: {name: team, namespace: default}
      spec: {clusterQueue: research}
      """;

  @Test
  void aQueueOfVolcanoIsALimitByItsCapability() throws Exception {
    startReading("volcano");
    lab()
        .apply(
            """
            apiVersion: scheduling.volcano.sh/v1beta1
            kind: Queue
            metadata: {name: research}
            spec: {weight: 1, capability: {hygon.com/dcunum: 2}}
            """);
    awaitTwoOfFourBound(", annotations: {scheduling.volcano.sh/queue-name: research}");
  }

  @Test
  void aQueueOfKaiIsALimitOfCards() throws Exception {
    startReading("kai");
    lab()
        .apply(
            """
            apiVersion: scheduling.run.ai/v2
            kind: Queue
            metadata: {name: research}
            spec: {resources: {gpu: {quota: 1, limit: 2, overQuotaWeight: 1}}}
            """);
    awaitTwoOfFourBound(", labels: {kai.scheduler/queue: research}");
  }

  /** Of pods that name queue research, which has two cards at most. */
  private void awaitTwoOfFourBound(String naming) throws Exception {
    lab().apply(HamiVendor.HYGON.pods("research", 4, 32_768, naming));

    awaitBound(2);
    awaitReason("queue research has 2 of at most 2 cards, and the pod asks for 1");
  }

  /** The role that is installed is another for each of them. */
  @AfterEach
  void addUsedPermissions() throws Exception {
    assertThat(UsedPermissions.add(lab()).faults()).isEmpty();
  }

  /** With the permissions that the chart gives for it. */
  private void startReading(String queues) throws IOException, InterruptedException {
    lab()
        .apply(
            new Helm("helm4", lab(), folder)
                .template(
                    "--set=scheduler.enabled=true,scheduler.claims=true,scheduler.reclaim=true",
                    "--set=scheduler.queues=" + queues,
                    "--show-only=templates/scheduler-rbac.yaml"));
    EXTENDER.startAgain(queues, "--queues=" + queues);
  }

  private static String clusterQueue(int cards) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: ClusterQueue
    metadata: {name: research}
    spec:
      resourceGroups:
        - coveredResources: [hygon.com/dcunum]
          flavors: [{name: dcu, resources: [{name: hygon.com/dcunum, nominalQuota: %d}]}]
    """
        .formatted(cards);
  }

  private static void awaitBound(int pods) {
    patiently()
        .atMost(UNTIL_TRIED_AGAIN)
        .untilAsserted(
            () -> assertThat(EXTENDER.cluster().bound("hygon-research")).isEqualTo(pods));
  }

  private static void awaitReason(String reason) {
    patiently()
        .untilAsserted(
            () ->
                assertThat(EXTENDER.cluster().pods())
                    .filteredOn(pod -> pod.getSpec().getNodeName() == null)
                    .isNotEmpty()
                    .allSatisfy(
                        pod ->
                            assertThat(
                                    EXTENDER
                                        .cluster()
                                        .events(pod.getMetadata().getName(), "FailedScheduling"))
                                .anySatisfy(message -> assertThat(message).contains(reason))));
  }

  private static Lab lab() {
    return EXTENDER.cluster().lab();
  }
}
