package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real kube-scheduler allocates claims of 100 nodes with DRA devices on the cards that they are
 * pinned to: 60 nodes whose cards are shared, 40 whose cards are had whole.
 */
class DraLabIT {
  private static final int WHOLE_NODES = 40;

  private static @Nullable Lab lab;
  private static @Nullable ExtenderInLab installed;
  private static @Nullable KubernetesClient client;
  private @Nullable Replica extender;

  @BeforeAll
  static void startLab(@TempDir Path folder) throws IOException, InterruptedException {
    var started =
        Lab.start(
            "--nodes=0",
            "--pod-start-delay=1s",
            "--feature-gates=DRADeviceTaintRules=true",
            "--runtime-config=resource.k8s.io/v1beta2=true");
    lab = started;
    installed = ExtenderInLab.install(started, folder, PrescaleInLab.freePort());
    client = LabObjects.client(started);
    started.apply(DraObjects.classes());
    var objects = new StringBuilder();
    for (int node = 0; node < DraObjects.SHARED_NODES + WHOLE_NODES; node++) {
      objects.append(DraObjects.node(DraObjects.name(node)));
      objects.append(DraObjects.slice(DraObjects.name(node), 1, 1, Set.of()));
    }
    started.apply(objects.toString());
  }

  @AfterAll
  static void stopLab() {
    if (client != null) {
      client.close();
    }
    if (lab != null) {
      lab.close();
    }
  }

  @AfterEach
  void clear() throws IOException, InterruptedException {
    lab().kubectl("delete", "deployments", "--all", "--namespace=default");
    patiently()
        .untilAsserted(
            () -> {
              assertThat(claimed().pods()).isEmpty();
              assertThat(claimed().claims()).as("no claim outlives its pod").isEmpty();
            });
    if (extender != null) {
      extender.close();
    }
  }

  @Test
  void sharesAndWholeCardsAreAllocatedAsDecidedAndASickCardIsNot() throws Exception {
    lab().apply(DraObjects.slice("whole-60", 2, 1, Set.of(0, 1)));
    lab().apply(DraObjects.slice("shared-0", 2, 1, Set.of(3)));
    extender = installed().start("claims", "--claims");
    lab().apply(DraObjects.deployment("shares", 200, "share", 1, "{memory: 20Gi, cores: '25'}"));
    lab().apply(DraObjects.deployment("halves", 40, "share", 1, "{memory: 39.5Gi, cores: '50'}"));
    // All that is left of 320 cards: 318, of which 160 in quadruples.
    lab().apply(DraObjects.deployment("quadruples", 40, "card", 4, "{}"));
    awaitBound(280);
    lab().apply(DraObjects.deployment("singles", 160, "card", 1, "{}"));
    awaitBound(280 + 158);

    claimed().assertAllocatedAsDecided();
    claimed().assertNothingIsPromisedTwice();
    assertThat(claimed().usedCards())
        .doesNotContainKeys(
            DraObjects.uuid("whole-60", 0),
            DraObjects.uuid("whole-60", 1),
            DraObjects.uuid("shared-0", 3));
    assertThat(packedCards()).as("240 shares of a quarter or a half").isLessThanOrEqualTo(72);
    patiently()
        .untilAsserted(
            () ->
                assertThat(installed().get("/problems"))
                    .contains("no node has room")
                    .doesNotContain("is left out"));

    lab().apply(DraObjects.slice("whole-60", 3, 1, Set.of()));
    awaitBound(440);
    claimed().assertAllocatedAsDecided();
    patiently()
        .untilAsserted(() -> assertThat(claimed().claims()).as("one claim a pod").hasSize(440));
    lab().apply(DraObjects.slice("shared-0", 3, 1, Set.of()));
  }

  /** They fit on all cards, if none is given to a pod with cards of another root. */
  @Test
  void cardsOfOnePcieRootAreTakenWhereAClaimRequiresIt() throws Exception {
    extender = installed().start("roots", "--claims");
    int roots = 2 * WHOLE_NODES;

    lab().apply(DraObjects.ofOnePcieRoot("linked", roots));

    awaitBound(roots);
    claimed().assertAllocatedAsDecided();
    assertThat(claimed().usedCards()).hasSize(4 * roots);
    assertThat(claimed().claims())
        .as("what kube-scheduler kept to as well")
        .allMatch(it -> it.getSpec().getDevices().getConstraints().size() == 2);
  }

  @Test
  void killedBetweenWritesNothingIsLostOrHeldTwice() throws Exception {
    extender = installed().start("killed-0", "--claims");
    lab().apply(DraObjects.deployment("burst", 120, "share", 1, "{memory: 40Gi, cores: '50'}"));
    lab().apply(DraObjects.deployment("wholes", 80, "card", 1, "{}"));
    for (int death = 1; death <= 3; death++) {
      int before = 40 * death;
      patiently().pollInterval(Duration.ofMillis(50)).until(() -> pinned() > before);
      extender().kill();
      extender = installed().start("killed-" + death, "--claims");
    }

    awaitBound(200);
    claimed().assertAllocatedAsDecided();
    claimed().assertNothingIsPromisedTwice();
    patiently()
        .untilAsserted(() -> assertThat(claimed().claims()).as("one claim a pod").hasSize(200));
  }

  @Test
  void whatTheSchedulerRefusesGoesElsewhere() throws Exception {
    extender = installed().start("elsewhere", "--claims");
    // The planner does not know of taints of nodes; the first choice is in vain.
    lab().apply(DraObjects.deployment("probe", 1, "share", 1, "{memory: 10Gi, cores: '10'}"));
    awaitBound(1);
    var first = claimed().pods().getFirst().getSpec().getNodeName();
    lab().kubectl("delete", "deployment", "probe");
    patiently().untilAsserted(() -> assertThat(claimed().claims()).isEmpty());
    lab().kubectl("taint", "node", first, "reserved=yes:NoSchedule");

    lab().apply(DraObjects.deployment("again", 1, "share", 1, "{memory: 10Gi, cores: '10'}"));
    awaitBound(1);

    assertThat(claimed().pods().getFirst().getSpec().getNodeName()).isNotEqualTo(first);
    claimed().assertAllocatedAsDecided();
    patiently().untilAsserted(() -> assertThat(claimed().claims()).hasSize(1));
    lab().kubectl("taint", "node", first, "reserved-");
  }

  @Test
  void aCardThatARuleTaintsIsGivenToNoClaimUntilTheRuleLeavesIt() throws Exception {
    lab().apply(DraObjects.taintRule("driver: card.example.com"));
    extender = installed().start("rules", "--claims");
    lab().apply(DraObjects.deployment("wholes", 2, "card", 1, "{}"));
    patiently()
        .untilAsserted(() -> assertThat(installed().get("/problems")).contains("no node has room"));
    assertThat(pinned()).isZero();

    lab().apply(DraObjects.taintRule("driver: card.example.com, pool: whole-60"));

    awaitBound(2);
    claimed().assertAllocatedAsDecided();
    assertThat(claimed().usedCards())
        .noneSatisfy((card, _) -> assertThat(card).contains("whole-60"));
    lab().kubectl("delete", "devicetaintrule", "maintenance");
  }

  @Test
  void ofTwoGangsThatDoNotFitTogetherOneRunsAndTheOtherHoldsNothingUntilItIsGone()
      throws Exception {
    extender = installed().start("gangs", "--claims");
    lab().apply(DraObjects.gang("first", 200));
    awaitBound(200);
    lab().apply(DraObjects.gang("second", 200)); // of 320 cards
    patiently()
        .untilAsserted(
            () ->
                assertThat(installed().get("/problems"))
                    .contains("of its group 200 pods have no cards: no node has room"));
    assertThat(bound()).isEqualTo(200);
    assertThat(pinned()).as("the second gang keeps nothing").isEqualTo(200);

    lab().kubectl("delete", "deployment", "first");

    patiently()
        .untilAsserted(
            () -> {
              assertThat(claimed().pods()).hasSize(200);
              assertThat(bound()).isEqualTo(200);
            });
    claimed().assertAllocatedAsDecided();
    claimed().assertNothingIsPromisedTwice();
  }

  private static void awaitBound(int pods) {
    patiently().untilAsserted(() -> assertThat(bound()).isEqualTo(pods));
  }

  private static long packedCards() {
    return claimed().usedCards().keySet().stream().filter(card -> card.contains("shared")).count();
  }

  private static long bound() {
    return claimed().pods().stream().filter(pod -> pod.getSpec().getNodeName() != null).count();
  }

  private static long pinned() {
    return claimed().claims().stream()
        .filter(claim -> claim.getMetadata().getAnnotations().containsKey(ClaimedCards.PINNED))
        .count();
  }

  private Replica extender() {
    return Objects.requireNonNull(extender);
  }

  private static Lab lab() {
    return Objects.requireNonNull(lab);
  }

  private static ExtenderInLab installed() {
    return Objects.requireNonNull(installed);
  }

  private static ClaimedCards claimed() {
    return new ClaimedCards(Objects.requireNonNull(client));
  }
}
