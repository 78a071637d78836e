package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Ledger;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the extender writes beside bindings and locks, on an API server that keeps objects. */
@MockApi(crud = true)
class WritesTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z"));

  @SuppressWarnings("NullAway.Init")
  KubernetesClient client;

  @Test
  void wakesOnceThereIsRoomAndForgetsAPodThatIsGone() {
    var ledger = new Ledger(10);
    var waker = new Waker(client, ledger, CLOCK);
    create("here");
    for (var name : List.of("here", "gone")) {
      var pod = asking(name);
      ledger.seen(pod);
      ledger.wasRefused(pod);
    }

    waker.wake();
    assertThat(ledger.totals().refused()).isEqualTo(2);

    ledger.seen(Nodes.a100("n", 2));
    waker.wake();
    assertThat(ledger.totals().refused()).isZero();
    assertThat(ledger.totals().pods()).as("places that are kept").isEqualTo(2);
  }

  private static PodFacts asking(String name) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L));
  }

  private void create(String name) {
    var pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName(name)
            .withUid("uid-" + name)
            .endMetadata()
            .build();
    client.resource(pod).create();
  }

  @Test
  void tellsEveryProblemOnceAndAgainWhenItComesBack() {
    var problems = new ProblemEvents(client, CLOCK);
    var mad = Map.of("mad", List.of("card 1 is left out: the memory is -1 MiB.", "x".repeat(2000)));

    problems.report(mad);
    problems.report(mad);

    var events = events();
    assertThat(events).hasSize(2);
    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(event.getInvolvedObject().getKind()).isEqualTo("Node");
              assertThat(event.getInvolvedObject().getName()).isEqualTo("mad");
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getReason()).isEqualTo("GpuLeftOut");
              assertThat(event.getMessage()).hasSizeLessThanOrEqualTo(1024);
            });

    client.v1().events().inNamespace("default").delete();
    problems.report(Map.of());
    problems.report(mad);
    assertThat(events()).hasSize(2);
  }

  @Test
  void tellsManyProblemsInTurnsAndOfNodesWithLongNames() {
    var problems = new ProblemEvents(client, CLOCK);
    var many =
        IntStream.range(0, 120)
            .boxed()
            .collect(Collectors.toMap(i -> "n".repeat(250) + i, i -> List.of("sentence " + i)));

    problems.report(many);
    assertThat(events()).hasSize(50);
    problems.report(many);
    problems.report(many);

    assertThat(events()).hasSize(120);
    assertThat(events())
        .allSatisfy(event -> assertThat(event.getMetadata().getName()).hasSizeLessThan(254));
  }

  private List<Event> events() {
    return client.v1().events().inNamespace("default").list().getItems();
  }
}
