package io.prescale.controller.plan.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSpecBuilder;
import io.prescale.controller.plan.cluster.CardsThere.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nodes with two cards of the model A100 each. */
class CardsThereTest {
  private static final List<String> A100 = List.of("NVIDIA A100");

  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");

  private static Count count(PlannedObjects objects) {
    return CardsThere.of(objects.objects()).of(A100, List.of(objects.pods("chat", NOW)));
  }

  @Test
  void cardsOfOthersAreHeldAndOnesOwnAreNot() {
    assertThat(count(new PlannedObjects().nodes(3).running("chat", 1).running("train", 4)))
        .isEqualTo(new Count(6, 4, 0));
    assertThat(count(new PlannedObjects().nodes(3).running("chat", 2)).left()).isEqualTo(6);
  }

  @Test
  void whatAQueueHoldsBeyondItsGuaranteeCouldBeGivenBackOnItsTerms() {
    var objects =
        new PlannedObjects()
            .nodes(3)
            .queue("training", "{guarantee: 1, reclaim: {mode: Advise}}")
            .queue("batch", "{guarantee: 0}")
            .inQueue("training", it -> it.running("train", 3))
            .inQueue("batch", it -> it.running("render", 1));

    assertThat(count(objects)).isEqualTo(new Count(6, 4, 2));
    assertThat(count(objects).left()).isEqualTo(4);
  }

  @Test
  void aQueueGivesNothingBackToItself() {
    var objects =
        new PlannedObjects()
            .nodes(3)
            .queue("shared", "{guarantee: 1, reclaim: {mode: Act}}")
            .inQueue("shared", it -> it.target("chat").running("chat", 2).running("batch", 2));

    assertThat(count(objects)).isEqualTo(new Count(6, 2, 0));
  }

  @Test
  void nodesThatLetItsPodsNotInAreNotThere() {
    var planned = new PlannedObjects().nodes(3).running("train", 3);
    var objects = planned.objects();
    objects
        .of(Node.class)
        .filter(node -> node.getMetadata().getName().equals("n0"))
        .forEach(
            node ->
                node.setSpec(
                    new NodeSpecBuilder()
                        .addNewTaint()
                        .withKey("team")
                        .withEffect("NoSchedule")
                        .endTaint()
                        .build()));

    assertThat(CardsThere.of(objects).of(A100, List.of(planned.pods("chat", NOW))))
        .as("two of the three others are on the tainted node")
        .isEqualTo(new Count(4, 1, 0));
    assertThat(CardsThere.of(objects).nodes(planned.pods("chat", NOW)))
        .containsExactlyInAnyOrder("n1", "n2");
  }

  @Test
  void cardsOfOtherModelsAndOfNodesThatAreGoneAreNotThere() {
    var planned = new PlannedObjects().nodes(3).running("train", 3);
    var objects = planned.objects();
    var chat = List.of(planned.pods("chat", NOW));
    var without = new PlanQuestion(0.9, 1, Set.of("n0"), Duration.ZERO).left(objects);

    assertThat(CardsThere.of(objects).of(List.of("H100"), chat)).isEqualTo(new Count(0, 0, 0));
    assertThat(CardsThere.of(objects).of(List.of(), chat)).isEqualTo(new Count(0, 0, 0));
    assertThat(CardsThere.of(without).of(A100, chat)).isEqualTo(new Count(4, 1, 0));
    assertThatThrownBy(() -> new Count(4, 1, 2)).isInstanceOf(IllegalArgumentException.class);
  }
}
