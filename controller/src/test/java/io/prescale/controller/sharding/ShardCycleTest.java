package io.prescale.controller.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas whose cycles run when the test says so, in time that the test makes. */
@EnableKubernetesMockClient(crud = true)
@NullUnmarked // the extension sets the client
@Timeout(120)
class ShardCycleTest {
  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private KubernetesClient client;
  private long time;

  /** Happens at each look at a clock. */
  private Runnable meanwhile = () -> {};

  /** How many beats there were, so that each has a time of its own. */
  private long beats;

  private final List<Set<Integer>> moves = new ArrayList<>();

  @Test
  void aThirdReplicaTakesAThirdAndNothingElseMoves() {
    lead("a (sharded)");
    var a = cycle("a");
    run(a, 1);
    assertThat(a.own()).as("a first replica need not wait").hasSize(32);
    var b = cycle("b");
    runAll(4, a, b);
    assertThat(a.own()).hasSize(16);
    assertThat(b.own()).hasSize(16);
    var before = List.of(a.own(), b.own());
    moves.clear();

    var c = cycle("c");
    runAll(4, a, b, c);

    assertThat(List.of(a.own().size(), b.own().size(), c.own().size()))
        .containsExactlyInAnyOrder(11, 11, 10);
    assertThat(before.get(0)).as("none came to the first").containsAll(a.own());
    assertThat(before.get(1)).as("none came to the second").containsAll(b.own());
    int left = moves.stream().mapToInt(Set::size).sum();
    assertThat(left).as("each that moved left one and came to another").isEqualTo(20);
  }

  @Test
  void theShardsOfASilentReplicaAreTakenWithinFourteenSeconds() {
    lead("a (sharded)");
    var a = cycle("a");
    var b = cycle("b");
    runAll(6, a, b);
    assertThat(b.own()).hasSize(16);
    long died = time;

    while (a.own().size() < 32) {
      run(a, 1);
    }

    assertThat(time - died).isBetween(10 * SECOND, 14 * SECOND);
    assertThat(a.holds(31) && a.holds(0)).isTrue();
    assertThat(b.holds(31) || b.holds(0)).as("it trusts itself no longer").isFalse();
  }

  @Test
  void aReplicaThatWasFrozenKeepsOnlyWhatNobodyTook() {
    lead("a (sharded)");
    var a = cycle("a");
    var b = cycle("b");
    runAll(6, a, b);
    time += 9 * SECOND; // both were frozen

    assertThat(a.own()).as("as far as it knows").hasSize(16);
    assertThat(a.own()).as("but it writes nothing").noneMatch(a::holds);
    run(a, 1);

    assertThat(a.own()).as("silence while it did not listen means nothing").hasSize(16);
    assertThat(a.own()).allMatch(a::holds);
    run(a, 7);
    assertThat(a.own()).as("the other is still frozen").hasSize(32);
    run(b, 1);
    assertThat(b.own()).isEmpty();
  }

  @Test
  void whoStopsLeavesAllAtOnce() {
    lead("a (sharded)");
    var a = cycle("a");
    var b = cycle("b");
    runAll(6, a, b);

    b.stop();
    b.leave();
    run(a, 1);

    assertThat(a.own()).hasSize(32);
    assertThat(replicas()).containsExactly("a");
  }

  @Test
  void whileOneReplicaLeadsAllNothingIsClaimedAndWhatWasIsLeft() {
    lead("old");
    var a = cycle("a");
    run(a, 3);
    assertThat(a.own()).isEmpty();

    lead("a (sharded)");
    run(a, 1);
    assertThat(a.own()).hasSize(32);

    lead("new");
    run(a, 1);
    assertThat(a.own()).as("at once").isEmpty();
    run(a, 1);
    assertThat(heldByLeases()).as("with the next heartbeat").isZero();
  }

  @Test
  void withoutALeaderNothingIsClaimedAndNothingIsLeft() {
    lead("a (sharded)");
    var a = cycle("a");
    run(a, 1);
    lead("");
    var b = cycle("b");
    runAll(6, a, b);

    assertThat(a.own()).as("which leaves what is beyond its share").hasSize(16);
    assertThat(b.own()).isEmpty();
  }

  @Test
  void theHeartbeatOfOneThatIsLongGoneIsRemoved() {
    lead("a (sharded)");
    var a = cycle("a");
    run(cycle("gone"), 1);
    run(a, 10);
    assertThat(replicas()).containsExactlyInAnyOrder("a", "gone");
    run(a, 60);

    assertThat(replicas()).containsExactly("a");
  }

  @Test
  void aLeaseThatSomeoneElseTookIsGivenUpAtTheNextHeartbeat() {
    lead("a (sharded)");
    var a = cycle("a");
    run(a, 1);
    var leases = client.leases().inNamespace("prescale");
    leases
        .withName(Shards.lease(7))
        .edit(
            lease -> new LeaseBuilder(lease).editSpec().withHolderIdentity("b").endSpec().build());

    run(a, 1);

    assertThat(a.holds(7)).isFalse();
    assertThat(a.own()).as("and the other has its share").doesNotContain(7).hasSize(16);
  }

  /**
   * Replicas are frozen, and overtake each other, wherever one looks at a clock: between any two of
   * its requests. At none of these moments two may write for one shard.
   */
  @Test
  void noShardIsEverHeldTwice() {
    for (int seed = 0; seed < 8; seed++) {
      var random = new SplittableRandom(seed);
      client.leases().inNamespace("prescale").delete();
      client.configMaps().inNamespace("prescale").delete();
      lead("r0 (sharded)");
      var all = new ArrayList<ShardCycle>();
      for (int i = 0; i < 4; i++) {
        all.add(cycle("r" + i));
      }
      var running = new HashSet<ShardCycle>();
      int[] checks = {0};
      meanwhile =
          () -> {
            time += random.nextInt(12) == 0 ? random.nextLong(12 * SECOND) : SECOND / 10;
            checks[0] += requireNoneHeldTwice(all);
            var other = all.get(random.nextInt(all.size()));
            if (running.size() < 3 && random.nextInt(6) == 0 && running.add(other)) {
              other.run();
              running.remove(other);
            }
          };
      for (int step = 0; step < 60; step++) {
        var next = all.get(random.nextInt(all.size()));
        running.add(next);
        next.run();
        running.remove(next);
      }
      meanwhile = () -> {};
      assertThat(checks[0]).as("moments at which shards were held").isGreaterThan(100);
      runAll(12, all.toArray(ShardCycle[]::new));
      assertThat(all).as("seed %d: all is well again", seed).allMatch(it -> it.own().size() == 8);
    }
  }

  /** Gives 1 if any shard was held at all. */
  private int requireNoneHeldTwice(List<ShardCycle> all) {
    var then = meanwhile;
    meanwhile = () -> {}; // the check does not take time
    boolean any = false;
    for (int shard = 0; shard < Shards.COUNT; shard++) {
      int number = shard;
      long holders = all.stream().filter(it -> it.holds(number)).count();
      assertThat(holders).as("holders of shard %d", shard).isLessThanOrEqualTo(1);
      any |= holders == 1;
    }
    meanwhile = then;
    return any ? 1 : 0;
  }

  private ShardCycle cycle(String identity) {
    return new ShardCycle(
        new ShardLeases(client, "prescale", "prescale"),
        identity,
        () -> {
          meanwhile.run();
          beats++;
          return NOON.plusNanos(beats);
        },
        () -> {
          meanwhile.run();
          return time;
        },
        ShardTimes.USUAL,
        moves::add);
  }

  private void run(ShardCycle cycle, int times) {
    runAll(times, cycle);
  }

  private void runAll(int times, ShardCycle... cycles) {
    for (int i = 0; i < times; i++) {
      time += 2 * SECOND;
      for (var cycle : cycles) {
        cycle.run();
      }
    }
  }

  private void lead(String holder) {
    var lease =
        new LeaseBuilder()
            .withNewMetadata()
            .withNamespace("prescale")
            .withName("prescale")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity(holder)
            .endSpec()
            .build();
    var leases = client.leases().inNamespace("prescale");
    leases.withName("prescale").delete();
    leases.resource(lease).create();
  }

  /** Those with a heartbeat; the mock leaves null for what was removed. */
  private List<String> replicas() {
    var heartbeats =
        client.configMaps().inNamespace("prescale").withName(Shards.HEARTBEATS).get().getData();
    return heartbeats.entrySet().stream()
        .filter(it -> it.getValue() != null)
        .map(Map.Entry::getKey)
        .toList();
  }

  private long heldByLeases() {
    return client
        .leases()
        .inNamespace("prescale")
        .withLabels(ShardLeases.LABELS)
        .list()
        .getItems()
        .stream()
        .filter(lease -> ShardLeases.holder(lease).isPresent())
        .count();
  }
}
