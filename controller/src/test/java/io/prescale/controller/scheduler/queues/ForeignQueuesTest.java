package io.prescale.controller.scheduler.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.placement.queue.AdmittedQueues;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The queues of Kueue, KAI and Volcano as one tree of ours. */
class ForeignQueuesTest {
  private static GenericKubernetesResource object(String kind, String name, String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: x/v1
        kind: %s
        metadata: {name: %s}
        spec: %s
        """
            .formatted(kind, name, spec),
        GenericKubernetesResource.class);
  }

  private static Optional<ForeignQueue> read(QueueSource source, String spec) {
    return ForeignQueueReader.read(source, object("Queue", "q", spec));
  }

  private static List<QueueEntry> entries(QueueSource source, GenericKubernetesResource... all) {
    return ForeignQueue.entries(
        Stream.of(all)
            .map(object -> ForeignQueueReader.read(source, object).orElseThrow())
            .toList());
  }

  private static QueueEntry entry(
      String name, String parent, long guaranteed, long reserved, long limit, int weight) {
    return new QueueEntry(
        name,
        Optional.ofNullable(parent.isEmpty() ? null : parent),
        new Quota(guaranteed, reserved, limit, weight, 0));
  }

  private static String quotas(String flavors) {
    return "resourceGroups: [{flavors: [%s]}]".formatted(flavors);
  }

  private static String flavor(String resources) {
    return "{name: f, resources: [{name: cpu, nominalQuota: 9k}, %s]}".formatted(resources);
  }

  @Test
  void cohortsOfKueueAreParentsThatAreGuaranteedWhatTheirQueuesAre() {
    var vision =
        flavor("{name: nvidia.com/gpu, nominalQuota: 10, borrowingLimit: 6, lendingLimit: 4}");
    var language =
        flavor("{name: nvidia.com/gpu, nominalQuota: 4}")
            + ","
            + flavor("{name: amd.com/gpu, nominalQuota: '2'}");
    var tree =
        entries(
            QueueSource.KUEUE,
            object("ClusterQueue", "vision", "{cohortName: lab, " + quotas(vision) + "}"),
            object(
                "ClusterQueue",
                "language",
                "{cohortName: lab, fairSharing: {weight: '2.5'}, " + quotas(language) + "}"),
            object("ClusterQueue", "alone", "{" + quotas(vision) + "}"),
            object(
                "Cohort",
                "lab",
                "{parentName: all, "
                    + quotas(flavor("{name: nvidia.com/gpu, nominalQuota: 8}"))
                    + "}"),
            object("Cohort", "all", "{}"));

    assertThat(tree)
        .containsExactly(
            entry("vision", "cohort:lab", 10_000, 6_000, 16_000, 10),
            entry("language", "cohort:lab", 6_000, 0, Quota.UNLIMITED, 25),
            entry("alone", "", 10_000, 6_000, 10_000, 10),
            entry("cohort:lab", "cohort:all", 24_000, 0, Quota.UNLIMITED, 10),
            entry("cohort:all", "", 24_000, 0, 24_000, 10));
    assertThat(QueueTree.ofEntries(tree).isLeaf("vision")).isTrue();
  }

  @Test
  void aCohortThatIsOnlyNamedIsThere() {
    var own = flavor("{name: nvidia.com/gpu, nominalQuota: 3}");

    assertThat(
            entries(
                QueueSource.KUEUE,
                object("ClusterQueue", "q", "{cohortName: c, " + quotas(own) + "}")))
        .containsExactly(
            entry("q", "cohort:c", 3_000, 0, Quota.UNLIMITED, 10),
            entry("cohort:c", "", 3_000, 0, Quota.UNLIMITED, 1));
  }

  @Test
  void queuesOfKaiHaveQuotaLimitWeightAndPriority() {
    var tree =
        entries(
            QueueSource.KAI,
            object("Queue", "top", "{resources: {gpu: {quota: -1, limit: -1}}}"),
            object(
                "Queue",
                "team",
                "{parentQueue: top, priority: 50, resources:"
                    + " {gpu: {quota: 2.5, limit: 8, overQuotaWeight: 3}, cpu: {quota: 99}}}"));

    assertThat(tree)
        .containsExactly(
            new QueueEntry("top", Optional.empty(), new Quota(2_500, 0, Quota.UNLIMITED, 10, 100)),
            new QueueEntry("team", Optional.of("top"), new Quota(2_500, 0, 8_000, 30, 50)));
  }

  @Test
  void whatVolcanoGuaranteesIsNotLentAndWhatIsDeservedIs() {
    var tree =
        entries(
            QueueSource.VOLCANO,
            object("Queue", "root", "{parent: root}"),
            object(
                "Queue",
                "a",
                "{parent: root, weight: 4, deserved: {nvidia.com/gpu: 6, cpu: 4},"
                    + " guarantee: {resource: {nvidia.com/gpu: 2}},"
                    + " capability: {nvidia.com/gpu: 9}}"),
            object("Queue", "b", "{parent: root, guarantee: {resource: {nvidia.com/gpu: '1'}}}"));

    assertThat(tree)
        .containsExactly(
            entry("root", "", 7_000, 0, Quota.UNLIMITED, 10),
            entry("a", "root", 6_000, 2_000, 9_000, 40),
            entry("b", "root", 1_000, 1_000, Quota.UNLIMITED, 10));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          KAI     | {resources: {gpu: {quota: many}}}
          KAI     | {resources: {gpu: {quota: .nan}}}
          KAI     | {resources: {gpu: {limit: 1e999999999}}}
          KAI     | {resources: {gpu: {overQuotaWeight: [1]}}}
          VOLCANO | {deserved: {nvidia.com/gpu: -3}}
          VOLCANO | {weight: x}
          KUEUE   | {resourceGroups: [{flavors: [{resources: [{name: x/gpu}]}]}]}
          """)
  void anAmountThatIsNoneMakesNoQueue(QueueSource source, String spec) {
    assertThat(read(source, spec)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "~",
        "[]",
        "{}",
        "{resourceGroups: 3, parentQueue: 7, parent: [], weight: null, cohortName: ' '}",
        "{resourceGroups: [~, 1, {flavors: {}}, {flavors: [{resources: [{}, 4]}]}]}",
        "{resources: {gpu: 4}, deserved: [], capability: {cpu: 3}}"
      })
  void whatSaysNothingOfCardsGrantsNothing(String spec) {
    for (var source : List.of(QueueSource.KUEUE, QueueSource.KAI, QueueSource.VOLCANO)) {
      var queue = read(source, spec).orElseThrow();
      assertThat(queue.guaranteed()).isZero();
      assertThat(queue.parent()).isEmpty();
    }
  }

  @Test
  void hugeAmountsAreTheMostThatIsPossible() {
    var tree =
        entries(
            QueueSource.KAI,
            object("Queue", "a", "{parentQueue: p, resources: {gpu: {quota: 1E12}}}"),
            object("Queue", "b", "{parentQueue: p, resources: {gpu: {quota: 1E12}}}"));

    assertThat(tree)
        .extracting(each -> each.quota().guaranteed())
        .containsExactly(Quota.UNLIMITED, Quota.UNLIMITED, Quota.UNLIMITED);
    assertThat(AdmittedQueues.of(tree, Map.of()).faults()).containsOnlyKeys("b");
  }

  @Test
  void queuesAboveThemselvesAreFaultsOfTheirs() {
    var tree =
        entries(
            QueueSource.KAI,
            object("Queue", "a", "{parentQueue: b, resources: {gpu: {quota: 1}}}"),
            object("Queue", "b", "{parentQueue: a, resources: {gpu: {quota: 1}}}"),
            object("Queue", "c", "{resources: {gpu: {quota: 1}}}"));

    var admitted = AdmittedQueues.of(tree, Map.of());
    assertThat(admitted.inForce()).containsOnlyKeys("c");
    assertThat(admitted.faults()).containsOnlyKeys("a", "b");
  }

  @Test
  void aChainOfThousandsIsRead() {
    var all = new ArrayList<ForeignQueue>();
    for (int i = 0; i < 5_000; i++) {
      all.add(new ForeignQueue("q" + i, Optional.of("q" + (i + 1)), 1, 1, Optional.empty(), 1, 0));
    }

    assertThat(ForeignQueue.entries(all).getLast().quota().guaranteed()).isEqualTo(5_000);
  }

  @Test
  void aQueueLendsNoMoreThanItHas() {
    assertThatThrownBy(() -> new ForeignQueue("q", Optional.empty(), 1, 2, Optional.empty(), 1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("queue q");
  }

  @Test
  void aLocalQueueStandsForAClusterQueue() {
    assertThat(
            ForeignQueueReader.clusterQueue(
                object("LocalQueue", "users", "{clusterQueue: cluster}")))
        .contains("cluster");
    assertThat(ForeignQueueReader.clusterQueue(object("LocalQueue", "users", "{}"))).isEmpty();
  }
}
