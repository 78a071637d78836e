package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@EnableKubernetesMockClient(crud = true)
@Timeout(180)
@NullUnmarked // the extension sets the client
class NamespaceLimitTest {
  private KubernetesClient client;

  @Test
  void theOldestAreWorkedOnInWhateverOrderTheyAreLookedAt() {
    var all = new ArrayList<>(IntStream.range(0, 7).mapToObj(NamespaceLimitTest::made).toList());
    Collections.shuffle(all, new Random(5));

    assertThat(all.stream().filter(it -> isWorkedOn(it, all, 4)).map(NamespaceLimitTest::name))
        .containsExactlyInAnyOrder("chat-0", "chat-1", "chat-2", "chat-3");
    assertThat(all).allMatch(it -> isWorkedOn(it, all, 7));
  }

  @Test
  void oneThatIsBeingDeletedLeavesItsPlace() {
    var all = IntStream.range(0, 3).mapToObj(NamespaceLimitTest::made).toList();
    assertThat(isWorkedOn(all.get(2), all, 2)).isFalse();
    all.getFirst().getMetadata().setDeletionTimestamp("2026-11-26T00:00:00Z");

    assertThat(isWorkedOn(all.get(2), all, 2)).isTrue();
  }

  @Test
  void theRefusalNamesTheLimitAndTheRemedy() {
    var all = IntStream.range(0, 9).mapToObj(NamespaceLimitTest::made).toList();

    assertThatThrownBy(() -> new NamespaceLimit(2).require(all.getLast(), all))
        .hasMessage(
            "Namespace team has more than 2 PredictiveHPAs, and the oldest of them are worked on;"
                + " delete those that are not needed, or ask an administrator for a larger"
                + " --objects-per-namespace of the controller, objectsPerNamespace of the chart.");
    assertThatThrownBy(() -> new NamespaceLimit(0)).hasMessageContaining("0");
  }

  @Test
  void inATermTheYoungestGetsAConditionUntilAnOlderOneIsGone() {
    try (var term =
        new ReconcilingInMock(
            client,
            Set.of(),
            Optional.empty(),
            new MemoryBudget(1L << 30),
            Duty.all(() -> true),
            new NamespaceLimit(1),
            () -> {})) {
      term.put("a-first", "4");
      term.put("b-second", "4");
      term.begin();

      assertThat(term.unready("b-second").map(StatusCondition::reason))
          .contains(ConditionReason.NamespaceLimit);
      assertThat(term.notReady("a-first")).startsWith("There is no Prometheus to ask");

      term.objects().withName("a-first").delete();
      await().atMost(Duration.ofSeconds(60)).until(() -> term.stored("a-first") == null);
      term.put("b-second", "5", "mode: Shadow", 2); // a minute later it is looked at anyway
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> term.notReady("b-second").startsWith("There is no Prometheus to ask"));
    }
  }

  private static boolean isWorkedOn(PredictiveHPA resource, List<PredictiveHPA> all, int most) {
    try {
      new NamespaceLimit(most).require(resource, all);
      return true;
    } catch (NotReady e) {
      assertThat(e.reason()).isEqualTo(ConditionReason.NamespaceLimit);
      return false;
    }
  }

  /** Two of each second, of which the name decides. */
  private static PredictiveHPA made(int number) {
    var resource = PredictiveHpas.chat("requests");
    resource.getMetadata().setNamespace("team");
    resource.getMetadata().setName("chat-" + number);
    resource.getMetadata().setUid("uid-" + number);
    resource.getMetadata().setCreationTimestamp("2026-11-25T00:00:0%dZ".formatted(number / 2));
    return resource;
  }

  private static String name(PredictiveHPA resource) {
    return resource.getMetadata().getName();
  }
}
