package io.prescale.controller.operator;

import static io.prescale.controller.operator.PredictiveHpas.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@MockApi(crud = true)
@Timeout(300)
@NullUnmarked // the extension sets the client
class NamespaceLimitTest {
  private KubernetesClient client;

  @Test
  void theOldestAreWorkedOnInWhateverOrderTheyAreLookedAt() {
    var all = new ArrayList<>(IntStream.range(0, 7).mapToObj(NamespaceLimitTest::made).toList());
    Collections.shuffle(all, new Random(5));

    assertThat(workedOn(all, 4)).containsExactlyInAnyOrder("chat-0", "chat-1", "chat-2", "chat-3");
    assertThat(workedOn(all, 7)).hasSize(7);
  }

  @Test
  void oneThatIsBeingDeletedLeavesItsPlace() {
    var all = IntStream.range(0, 3).mapToObj(NamespaceLimitTest::made).toList();
    assertThat(workedOn(all, 2)).containsExactly("chat-0", "chat-1");
    all.getFirst().getMetadata().setDeletionTimestamp("2026-11-26T00:00:00Z");

    assertThat(workedOn(all.subList(1, 3), 2)).containsExactly("chat-1", "chat-2");
  }

  @Test
  void oneTooManyOf501IsRefusedAndAllAreListedOnceInTenSeconds() {
    var places = new PlacesInNamespaces(new NamespaceLimit(500));
    var all = new ArrayList<>(IntStream.range(0, 501).mapToObj(NamespaceLimitTest::made).toList());
    Collections.shuffle(all, new Random(6));
    var lists = new AtomicInteger();

    for (int second = 0; second < 60; second++) {
      var now = NOON.plusSeconds(second);
      assertThat(workedOn(places, all, all, lists, now)).hasSize(500).doesNotContain("chat-500");
    }
    assertThat(lists).hasValue(6);
  }

  @Test
  void untilAllAreListedAgainANewOneTakesAFreePlaceAndNoOther() {
    var places = new PlacesInNamespaces(new NamespaceLimit(2));
    var all = IntStream.range(0, 3).mapToObj(NamespaceLimitTest::made).toList();
    var others = made(0);
    others.getMetadata().setNamespace("others");
    var lists = new AtomicInteger();

    assertThat(workedOn(places, all.subList(0, 1), all.subList(0, 1), lists, NOON)).hasSize(1);
    assertThat(workedOn(places, all, all, lists, NOON)).containsExactly("chat-0", "chat-1");
    assertThat(workedOn(places, List.of(others), all, lists, NOON)).hasSize(1);
    assertThat(workedOn(places, all, all.subList(1, 3), lists, NOON.plusSeconds(9)))
        .containsExactly("chat-0", "chat-1");
    assertThat(lists).hasValue(1);

    assertThat(workedOn(places, all.subList(1, 3), all.subList(1, 3), lists, NOON.plusSeconds(10)))
        .containsExactly("chat-1", "chat-2");
    var setBack = NOON.minusSeconds(300);
    assertThat(workedOn(places, all, all, lists, setBack)).containsExactly("chat-0", "chat-1");
    assertThat(lists).hasValue(3);
  }

  @Test
  void theRefusalNamesTheLimitAndTheRemedy() {
    assertThat(new NamespaceLimit(2).refusal("team"))
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
      var generation = new AtomicInteger(1);
      await() // all are listed again after ten seconds, and an edited one is looked at at once
          .atMost(Duration.ofMinutes(3))
          .pollInterval(Duration.ofSeconds(4))
          .until(
              () -> {
                var status = String.valueOf(term.stored("b-second").<Object>get("status"));
                term.put("b-second", "5", "mode: Shadow", generation.incrementAndGet());
                return status;
              },
              it -> it.contains("There is no Prometheus to ask"));
    }
  }

  private static List<String> workedOn(List<PredictiveHPA> all, int most) {
    var places = new PlacesInNamespaces(new NamespaceLimit(most));
    return workedOn(places, all, all, new AtomicInteger(), NOON);
  }

  /** The names of those of {@code asked} that are worked on; {@code lists} counts. */
  private static List<String> workedOn(
      PlacesInNamespaces places,
      List<PredictiveHPA> asked,
      List<PredictiveHPA> all,
      AtomicInteger lists,
      Instant now) {
    var names = new ArrayList<String>();
    for (var resource : asked) {
      try {
        places.require(
            resource,
            () -> {
              lists.incrementAndGet();
              return all.stream();
            },
            now);
        names.add(resource.getMetadata().getName());
      } catch (NotReady e) {
        assertThat(e.reason()).isEqualTo(ConditionReason.NamespaceLimit);
      }
    }
    return names;
  }

  /** Two of each second, of which the name decides. */
  private static PredictiveHPA made(int number) {
    var resource = PredictiveHpas.chat("requests");
    resource.getMetadata().setNamespace("team");
    resource.getMetadata().setName("chat-" + number);
    resource.getMetadata().setUid("uid-" + number);
    resource.getMetadata().setCreationTimestamp(NOON.plusSeconds(number / 2).toString());
    return resource;
  }
}
