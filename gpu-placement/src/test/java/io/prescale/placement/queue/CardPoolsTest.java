package io.prescale.placement.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.queue.AdmittedQueues.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queues that divide cards of some models among them. */
class CardPoolsTest {
  private static final long GPU = 1000;

  private static QueueEntry top(String name, Quota quota, String... models) {
    return new QueueEntry(name, Optional.empty(), quota, CardPool.of(List.of(models)));
  }

  private static QueueEntry below(String parent, String name, long cards) {
    return new QueueEntry(name, Optional.of(parent), Quota.train(cards * GPU, 1));
  }

  /** 16 cards of an H100 and 8 of an A100; the rest has 24 L4. */
  private static final Map<String, Long> CARDS =
      Map.of("NVIDIA H100 80GB HBM3", 16 * GPU, "NVIDIA A100-SXM4-80GB", 8 * GPU, "L4", 24 * GPU);

  private static QueueTree tree() {
    return QueueTree.ofEntries(
        List.of(
            top("h100", Quota.train(16 * GPU, 1), "H100"),
            below("h100", "vision", 10),
            below("h100", "language", 6),
            top("lab", Quota.train(4 * GPU, 1), "a100"),
            top("guests", Quota.train(0, 1), "A100"),
            top("default", Quota.train(0, 1))));
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA A100-SXM4-80GB, A100-SXM4", // the longer name
    "NVIDIA-A100-PCIE-40GB, A100",
    "nvidia h100, H100",
    "NVIDIA A100 SXM4 40GB, A100-SXM4", // a label has hyphens
    "A100_SXM4, A100-SXM4",
    "NVIDIA L4, ''",
    "'', ''"
  })
  void aModelIsOfThePoolThatNamesTheLongestPartOfIt(String model, String name) {
    var tree =
        QueueTree.ofEntries(
            List.of(
                top("a", Quota.train(0, 1), "a100", "H100"),
                top("b", Quota.train(0, 1), "A100-SXM4"),
                top("c", Quota.train(0, 1))));
    var found = tree.poolOfModel(model);
    assertThat(name.isEmpty() ? found.equals(CardPool.REST) : found.models().contains(name))
        .isTrue();
  }

  @Test
  void eachPoolIsDividedAmongItsOwnQueues() {
    var tree = tree();
    var demand =
        Map.of(
            "vision", 30 * GPU,
            "language", 3 * GPU,
            "lab", 8 * GPU,
            "guests", 8 * GPU,
            "default", 99 * GPU);

    var shares = FairShares.of(tree, tree.capacity(CARDS), demand);

    assertThat(shares.of("vision")).as("what language does not ask for").isEqualTo(13 * GPU);
    assertThat(shares.of("language")).isEqualTo(3 * GPU);
    assertThat(shares.of("lab")).as("4 guaranteed, and half of 4").isEqualTo(6 * GPU);
    assertThat(shares.of("guests")).isEqualTo(2 * GPU);
    assertThat(shares.of("default")).as("no A100 and no H100").isEqualTo(24 * GPU);
  }

  @Test
  void noQueueGoesBeforeOneOfAnotherPool() {
    var tree = tree();
    var demand = Map.of("lab", 8 * GPU, "guests", 8 * GPU, "default", 30 * GPU);
    var shares = FairShares.of(tree, tree.capacity(CARDS), demand);
    var used = Map.of("default", 24 * GPU, "guests", 2 * GPU);
    var ledger = QueueLedger.of(shares, used, Map.of());

    assertThat(ledger.owedBefore("default", GPU, Map.of("lab", GPU))).isEmpty();
    assertThat(ledger.owedBefore("guests", GPU, Map.of("lab", GPU, "vision", GPU))).contains("lab");
  }

  @Test
  void nothingIsTakenFromAnotherPool() {
    var tree = tree();
    var demand = Map.of("lab", 4 * GPU, "guests", 8 * GPU, "vision", 16 * GPU, "default", 24 * GPU);
    var shares = FairShares.of(tree, tree.capacity(CARDS), demand);
    var used = Map.of("guests", 8 * GPU, "vision", 16 * GPU, "default", 24 * GPU);

    var budget = QueueLedger.of(shares, used, Map.of()).reclaimFor("lab", 4 * GPU);

    assertThat(budget.roomOf("guests")).isEqualTo(8 * GPU);
    assertThat(budget.roomOf("vision")).isZero();
    assertThat(budget.roomOf("default")).isZero();
  }

  /** Dividing all pools at once is the same as dividing each as a cluster of its own. */
  @Test
  void randomPoolsAreClustersOfTheirOwn() {
    var random = new SplittableRandom(5);
    for (int round = 0; round < 500; round++) {
      long guarantee = random.nextLong(6) * GPU;
      var left = top("l", Quota.train(guarantee, 1 + random.nextInt(4)), "H100");
      var right = top("r", Quota.train(random.nextLong(6) * GPU, 1), "H100");
      var other = top("o", Quota.train(random.nextLong(6) * GPU, 2));
      var tree = QueueTree.ofEntries(List.of(left, other, right));
      long h100 = random.nextLong(16) * GPU;
      long rest = random.nextLong(16) * GPU;
      var demand =
          Map.of("l", random.nextLong(16) * GPU, "r", random.nextLong(16) * GPU, "o", 8 * GPU);

      var shares = FairShares.of(tree, tree.capacity(Map.of("H100", h100, "L4", rest)), demand);

      var alone =
          QueueTree.of(List.of(Queue.leaf("l", left.quota()), Queue.leaf("r", right.quota())));
      var expected = FairShares.of(alone, h100, Map.of("l", demand.get("l"), "r", demand.get("r")));
      assertThat(shares.of("l")).isEqualTo(expected.of("l"));
      assertThat(shares.of("r")).isEqualTo(expected.of("r"));
      assertThat(shares.of("o")).isEqualTo(Math.min(8 * GPU, rest));
    }
  }

  @Test
  void ofQueuesWhosePoolsOverlapTheOlderStays() {
    var older = top("older", Quota.train(0, 1), "A100", "H100");
    var admitted =
        AdmittedQueues.of(List.of(older, top("younger", Quota.train(0, 1), "h100")), Map.of());

    assertThat(admitted.inForce()).containsOnlyKeys("older");
    assertThat(admitted.faults())
        .containsExactly(
            Map.entry(
                "younger",
                new AdmittedQueues.Fault(
                    Kind.MODELS_OVERLAP,
                    "it names models [H100] and older names [A100, H100]; name the same, or none"
                        + " of those")));
  }

  @Test
  void onlyTheTopmostQueueNamesModels() {
    assertThatThrownBy(
            () ->
                new QueueEntry("q", Optional.of("p"), Quota.build(0), CardPool.of(List.of("H100"))))
        .hasMessage("queue q names models and a parent; name the models in the topmost queue");
    assertThatThrownBy(() -> CardPool.of(List.of(" "))).hasMessageContaining("empty model");
  }
}
