package io.prescale.controller.scheduler.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.placement.cluster.NodePosition;
import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.PodFacts.Group;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How near each other the pods of a gang are to be, in the words of several schedulers. */
class GroupFactsTest {
  private static final String OURS = "gpu.prescale.io/group: g, gpu.prescale.io/group-size: '2'";

  private final KubernetesSerialization yaml = new KubernetesSerialization();

  private Group group(String labels, String annotations) {
    var pod =
        yaml.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: d, uid: u, labels: {%s}, annotations: {%s}}
            spec: {containers: []}
            """
                .formatted(labels, annotations),
            Pod.class);
    return GroupFacts.of(pod).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gpu.prescale.io/group-required-topology: a/b             | a/b | -   | false
          gpu.prescale.io/group-preferred-topology: a/b            | -   | a/b | false
          kueue.x-k8s.io/podset-required-topology: a/b             | a/b | -   | true
          kueue.x-k8s.io/podset-preferred-topology: a/b            | -   | a/b | true
          kai.scheduler/topology-required-placement: a/b           | a/b | -   | true
          kai.scheduler/topology-preferred-placement: " a/b "      | -   | a/b | true
          leaderworkerset.sigs.k8s.io/exclusive-topology: a/b      | a/b | -   | true
          gpu.prescale.io/group-required-topology: ''              | -   | -   | false
          other: a/b                                               | -   | -   | false
          """)
  void readsTheWordsOfSeveralSchedulers(
      String annotation, String required, String preferred, boolean isForeign) {
    assertThat(group("", OURS + ", " + annotation).nearness())
        .isEqualTo(new Nearness(level(required), level(preferred), isForeign));
  }

  private static Optional<String> level(String word) {
    return Optional.of(word).filter(it -> !it.equals("-"));
  }

  @Test
  void ourWordsReplaceThoseOfOthers() {
    var both =
        "gpu.prescale.io/group-preferred-topology: ours,"
            + " kueue.x-k8s.io/podset-required-topology: theirs";

    assertThat(group("", OURS + ", " + both).nearness())
        .isEqualTo(new Nearness(Optional.empty(), Optional.of("ours"), false));
  }

  @Test
  void onlyTheLeaderOfAnExclusiveLeaderWorkerSetComesBeforeTheOthers() {
    var key =
        "leaderworkerset.sigs.k8s.io/group-key: k, leaderworkerset.sigs.k8s.io/worker-index: ";
    var size = "leaderworkerset.sigs.k8s.io/size: '4'";
    var exclusive = size + ", leaderworkerset.sigs.k8s.io/exclusive-topology: a/b";
    var near = new Nearness(Optional.of("a/b"), Optional.empty(), true);

    assertThat(group(key + "'0'", exclusive)).isEqualTo(new Group("k", 4, near, true));
    assertThat(group(key + "'1'", exclusive)).isEqualTo(new Group("k", 4, near, false));
    assertThat(group(key + "'0'", size)).isEqualTo(new Group("k", 4));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {schedulingConstraints: {topology: [{key: a/b}]}}            | a/b
          {schedulingConstraints: {topology: [{key: a/b}, {key: c}]}}  | a/b
          {schedulingConstraints: {topology: []}}                      | -
          {schedulingConstraints: {topology: [{key: 7}]}}              | -
          {schedulingConstraints: {topology: [a/b]}}                   | -
          {schedulingConstraints: {topology: {key: a/b}}}              | -
          {schedulingConstraints: [a]}                                 | -
          null                                                         | -
          """)
  void aPodGroupStatesItsLevelAsAConstraint(String spec, String required) {
    var podGroup = WrittenPodGroup.of(spec);

    assertThat(GroupFacts.nearness(podGroup).required()).isEqualTo(level(required));
  }

  @Test
  void aNodeIsWhereItsLabelsSay() {
    var node =
        yaml.unmarshal(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n, labels: {example.com/rack: r, example.com/block: b, other: x}}
            """,
            Node.class);
    var levels = NetworkLabels.read("example.com/block,example.com/rack");

    assertThat(Facts.of(node, levels).position().domains()).containsExactly("b/r", "b");
    assertThat(Facts.of(node, NetworkLabels.KNOWN).position()).isEqualTo(NodePosition.UNKNOWN);
  }
}
