package io.prescale.placement.claims;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.claims.Claim.Request;
import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.PodFacts.Group;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods of a group get their cards together or not at all. */
class ClaimGroupsTest {
  private static final Request WHOLE = Devices.shares(80, 100);

  private final FakeCluster cluster = new FakeCluster();

  private void member(String pod, String group, int size) {
    cluster.pod(pod, WHOLE, Optional.of(group(group, size)));
  }

  private static Group group(String name, int size) {
    return new Group(name, size);
  }

  private List<Step> write(ClaimLedger ledger, Class<? extends Step> kind) {
    var before = Map.copyOf(cluster.claims());
    var steps = ledger.steps(cluster.now);
    assertThat(steps).hasOnlyElementsOfType(kind);
    steps.forEach(cluster::write);
    cluster.makeClaims();
    cluster.tell(ledger, before);
    return steps;
  }

  @Test
  void waitForAllOfThemThenForTheCardsOfAllThenAreReleasedTogether() {
    cluster.slice(Devices.sharedCards("node", 2));
    member("a", "train", 3);
    member("b", "train", 3);
    var ledger = cluster.ledger();

    assertThat(ledger.steps(cluster.now)).isEmpty();
    assertThat(ledger.waiting()).containsEntry("ns/a", "of the 3 pods of its group 2 are there");

    member("c", "train", 3);
    cluster.tell(ledger, Map.of());
    assertThat(ledger.steps(cluster.now)).as("two cards for three").isEmpty();
    assertThat(ledger.totals().heldMemoryMib()).isZero();
    assertThat(ledger.waiting().values())
        .hasSize(3)
        .allMatch(it -> it.startsWith("of its group 3 pods have no cards: no node has room: "));

    cluster.slice(Devices.sharedCards("other", 2));
    ledger = cluster.ledger();
    assertThat(write(ledger, Step.Pinned.class)).hasSize(3);
    assertThat(write(ledger, Step.Replaced.class)).hasSize(3);
    assertThat(write(ledger, Step.Released.class)).hasSize(3);
    cluster.schedule();
    cluster.tell(ledger, Map.of());
    assertThat(ledger.steps(cluster.now)).isEmpty();
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(3 * 80 * 1024);
  }

  @Test
  void aGroupThatFindsNoRoomKeepsNoneFromOthers() {
    cluster.slice(Devices.sharedCards("node", 2));
    for (var pod : List.of("a", "b", "c")) {
      member(pod, "train", 3);
    }
    cluster.pod("single", WHOLE);
    var ledger = cluster.ledger();

    assertThat(ledger.steps(cluster.now))
        .singleElement()
        .satisfies(step -> assertThat(step.pod().name()).isEqualTo("single"));
  }

  @Test
  void noPodIsReleasedWhileAnotherOfItsGroupHasNoCards() {
    cluster.slice(Devices.sharedCards("node", 4));
    member("a", "train", 2);
    member("b", "train", 2);
    var ledger = cluster.ledger();
    var before = Map.copyOf(cluster.claims());
    var steps = ledger.steps(cluster.now);
    assertThat(steps).hasSize(2);
    cluster.write(steps.getFirst());
    cluster.tell(ledger, before);
    ledger.failed(steps.getLast().pod().uid(), cluster.now.plusSeconds(10));

    assertThat(write(ledger, Step.Replaced.class)).hasSize(1);
    assertThat(ledger.steps(cluster.now)).isEmpty();

    cluster.now = cluster.now.plusSeconds(11);
    assertThat(write(ledger, Step.Pinned.class)).hasSize(1);
    write(ledger, Step.Replaced.class);
    assertThat(write(ledger, Step.Released.class)).hasSize(2);
  }

  @Test
  void theOthersGiveTheirCardsBackWhenOneIsGone() {
    cluster.slice(Devices.sharedCards("node", 2));
    member("a", "train", 2);
    member("b", "train", 2);
    var ledger = cluster.ledger();
    write(ledger, Step.Pinned.class);
    write(ledger, Step.Replaced.class);
    var before = Map.copyOf(cluster.claims());
    cluster.delete("b");
    ledger.podGone("b");
    cluster.tell(ledger, before);

    assertThat(ledger.steps(cluster.now)).isEmpty();
    cluster.now = cluster.now.plus(NextSteps.UNTIL_GIVEN_UP).plusSeconds(2);
    assertThat(write(ledger, Step.Replaced.class)).hasSize(1);
    assertThat(ledger.totals().heldMemoryMib()).isZero();

    member("b", "train", 2);
    cluster.tell(ledger, Map.of());
    assertThat(write(ledger, Step.Pinned.class)).hasSize(2);
  }

  @Test
  void aMemberThatIsMadeAgainGetsItsCardsWhileTheOthersRun() {
    cluster.slice(Devices.sharedCards("node", 2));
    member("a", "train", 2);
    member("b", "train", 2);
    var ledger = cluster.ledger();
    write(ledger, Step.Pinned.class);
    write(ledger, Step.Replaced.class);
    write(ledger, Step.Released.class);
    cluster.schedule();
    var before = Map.copyOf(cluster.claims());
    cluster.delete("b");
    ledger.podGone("b");
    member("b2", "train", 2);
    cluster.tell(ledger, before);

    assertThat(write(ledger, Step.Pinned.class)).hasSize(1);
    write(ledger, Step.Replaced.class);
    assertThat(write(ledger, Step.Released.class)).hasSize(1);
  }

  @Test
  void ofMorePodsThanTheGroupNeedsAsManyGetCardsAsThereAre() {
    cluster.slice(Devices.sharedCards("node", 3));
    for (var pod : List.of("a", "b", "c", "d")) {
      member(pod, "train", 2);
    }
    var ledger = cluster.ledger();

    assertThat(write(ledger, Step.Pinned.class)).hasSize(3);
    write(ledger, Step.Replaced.class);
    assertThat(write(ledger, Step.Released.class)).hasSize(3);
    assertThat(ledger.waiting()).hasSize(1);
  }

  @Test
  void oneMemberWhoseClaimIsNotUnderstoodKeepsAllWaitingAndSaysWhy() {
    cluster.slice(Devices.sharedCards("node", 4));
    member("a", "train", 2);
    var strange = Devices.request("gpu", 1, List.of("device.x > 3"), Devices.share(80, 100));
    cluster.pod("b", strange, Optional.of(group("train", 2)));
    var ledger = cluster.ledger();

    assertThat(ledger.steps(cluster.now)).isEmpty();
    assertThat(ledger.waiting().values())
        .hasSize(2)
        .allMatch(it -> it.contains("is not understood"));
  }

  @Test
  void aPodThatComesFirstDoesNotWaitForOthersAndTooLargeAGroupIsRefused() {
    cluster.slice(Devices.sharedCards("node", 2));
    cluster.pod("leader", WHOLE, Optional.of(new Group("lws", 4, Nearness.ANYWHERE, true)));
    member("huge", "huge", 1001);
    var ledger = cluster.ledger();

    assertThat(ledger.steps(cluster.now))
        .singleElement()
        .satisfies(step -> assertThat(step.pod().name()).isEqualTo("leader"));
    assertThat(ledger.waiting()).containsEntry("ns/huge", "its group has more than 1000 pods");
  }

  @Test
  void podsOfTheGroupWithoutClaimsOnlyCount() {
    cluster.slice(Devices.sharedCards("node", 2));
    member("a", "train", 2);
    var ledger = cluster.ledger();
    var driver =
        new ClaimPod(
            "driver",
            "ns",
            "driver",
            0,
            cluster.now,
            Optional.empty(),
            Optional.empty(),
            false,
            false,
            false,
            false,
            Optional.of(group("train", 2)));
    assertThat(ledger.steps(cluster.now)).isEmpty();

    ledger.podSeen(driver);

    assertThat(write(ledger, Step.Pinned.class)).hasSize(1);
    write(ledger, Step.Replaced.class);
    assertThat(write(ledger, Step.Released.class)).hasSize(1);
    assertThat(ledger.waiting()).isEmpty();
  }

  /** However the writes, Kubernetes' work and crashes follow each other. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void noCrashReleasesPartOfAGroup(long seed) {
    var random = new Random(seed);
    for (int node = 0; node < 3; node++) {
      cluster.slice(Devices.sharedCards("node-" + node, 4));
    }
    for (int pod = 0; pod < 12; pod++) {
      member("pod-" + pod, "group-" + pod / 4, 4);
    }
    var ledger = cluster.ledger();
    for (int round = 0; round < 2_000 && !isDone(); round++) {
      var before = Map.copyOf(cluster.claims());
      for (var step : ledger.steps(cluster.now)) {
        if (random.nextInt(3) > 0) {
          cluster.write(step);
        } else if (step instanceof Step.Pinned) {
          ledger.failed(step.pod().uid(), cluster.now);
        }
        if (random.nextInt(10) == 0) {
          ledger = cluster.ledger();
          before = Map.copyOf(cluster.claims());
          break;
        }
      }
      if (random.nextBoolean()) {
        cluster.makeClaims();
      }
      if (random.nextBoolean()) {
        cluster.schedule();
      }
      cluster.tell(ledger, before);
      cluster.now = cluster.now.plusMillis(1);
      assertReleasedWithCardsForAll();
    }

    assertThat(isDone()).as("12 whole cards for 12 pods").isTrue();
  }

  private boolean isDone() {
    return cluster.pods().values().stream().allMatch(ClaimPod::bound);
  }

  private void assertReleasedWithCardsForAll() {
    cluster.pods().values().stream().collect(groupingBy(ClaimPod::groupKey)).values().stream()
        .filter(group -> group.stream().anyMatch(pod -> !pod.gated()))
        .flatMap(List::stream)
        .forEach(pod -> assertThat(cluster.claimOf(pod.name()).pin()).isPresent());
  }
}
