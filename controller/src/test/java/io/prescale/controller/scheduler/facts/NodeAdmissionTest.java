package io.prescale.controller.scheduler.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import org.junit.jupiter.api.Test;

/** Which nodes let pods in, and how much of it is remembered. */
class NodeAdmissionTest {
  private final NodeAdmission nodes = new NodeAdmission();

  private static Node node(String name, String zone) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .addToLabels("zone", zone)
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  private static Pod pod(String zone, String tolerated) {
    return new PodBuilder()
        .withNewSpec()
        .addToNodeSelector("zone", zone)
        .addNewToleration()
        .withKey(tolerated)
        .withOperator("Exists")
        .endToleration()
        .endSpec()
        .build();
  }

  /** As from a template that tolerates a taint of its own job. */
  @Test
  void podsThatEachTolerateSomethingElseAreNotAllRemembered() {
    nodes.seen(node("a", "1"));
    nodes.seen(node("b", "2"));

    for (int i = 0; i < 5_000; i++) {
      assertThat(nodes.of(pod("1", "job-" + i))).containsExactly("a");
    }

    assertThat(nodes.known()).isEqualTo(NodeAdmission.MOST_KNOWN);
    assertThat(nodes.restricted(pod("2", "job-0")))
        .hasValueSatisfying(open -> assertThat(open).containsExactly("b"));
  }

  @Test
  void aLabelThatChangesCountsAtOnce() {
    nodes.seen(node("a", "1"));
    assertThat(nodes.of(pod("2", "x"))).isEmpty();

    nodes.seen(node("a", "2"));

    assertThat(nodes.of(pod("2", "x"))).containsExactly("a");
  }
}
