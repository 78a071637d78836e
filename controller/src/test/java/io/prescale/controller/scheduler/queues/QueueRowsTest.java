package io.prescale.controller.scheduler.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.scheduler.evictions.NewestSteps;
import io.prescale.controller.scheduler.reclaim.Noticed;
import io.prescale.controller.web.GpuPage;
import io.prescale.placement.ledger.QueueState;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** GpuQueues and notices as the page shows them. */
class QueueRowsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final QueueReader reader = new QueueReader();
  private final WrittenQueues written = new WrittenQueues();

  private QueueReader.Written queue(String name, String spec) {
    return reader.read(
        Serialization.unmarshal(
            """
            apiVersion: placement.prescale.io/v1alpha1
            kind: GpuQueue
            metadata: {name: %s}
            spec: %s
            """
                .formatted(name, spec),
            GenericKubernetesResource.class));
  }

  @Test
  void aRowOfThePageHasWhatIsInForceAndWhyTheSpecIsNot() {
    written.listed(
        List.of(
            queue("research", "{guarantee: 5}"),
            queue("q", "{guarantee: 2, limit: 4, parent: research}")));
    var quota = queue("q", "{guarantee: 2, limit: 4}").entry().orElseThrow().quota();
    var state = new QueueState("q", quota, 3_500, 2_000, 1, Optional.of(NOW));

    assertThat(rows(List.of(state)).getFirst())
        .isEqualTo(new GpuPage.Queue("q", "research", 2_000, 4_000L, 3_500, 2_000, 1, NOW, ""));
    assertThat(rows(List.of()).getLast())
        .as("a queue that the ledger does not know yet")
        .isEqualTo(new GpuPage.Queue("research", "", 0, null, 0, 0, 0, null, ""));

    written.seen(queue("q", "{guarantee: 9, limit: 4}"));

    assertThat(rows(List.of(state)).getFirst())
        .isEqualTo(
            new GpuPage.Queue(
                "q",
                "",
                2_000,
                4_000L,
                3_500,
                2_000,
                1,
                NOW,
                "the spec cannot be read; write it as the definition says"));
  }

  private List<GpuPage.Queue> rows(List<QueueState> states) {
    return QueueRows.of(written, states, List.of(), List.of()).queues();
  }

  @Test
  void aPageHasABoundedPartOfManyQueuesAndNotices() {
    written.listed(IntStream.range(0, 1_000).mapToObj(i -> queue("q" + i, "{}")).toList());
    var noticed = new Noticed("team/train", "q1", NOW, "team/chat");

    var step = new NewestSteps.Step(NOW, "Pod team/train", "x".repeat(1_000));

    var rows = QueueRows.of(written, List.of(), Collections.nCopies(1_000, noticed), List.of(step));

    assertThat(rows.queues()).hasSize(QueueRows.MOST);
    assertThat(rows.notices()).hasSize(QueueRows.MOST);
    assertThat(rows.steps().getFirst().sentence()).hasSize(300).endsWith("…");
  }
}
