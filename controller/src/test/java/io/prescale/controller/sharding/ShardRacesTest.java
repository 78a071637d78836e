package io.prescale.controller.sharding;

import static io.prescale.controller.sharding.ShardCycles.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas that overtake each other between any two requests. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
@Timeout(300)
class ShardRacesTest {
  private static final int SEEDS = 6;

  private KubernetesClient client;

  /** At each moment of the heartbeat that finds it silent for too long. */
  @Test
  void aReplicaThatComesBackWhileItsShardsAreTakenSharesNone() {
    boolean cameBack = true;
    for (int moment = 0; cameBack; moment++) {
      client.leases().inNamespace("prescale").delete();
      client.configMaps().inNamespace("prescale").delete();
      var cluster = new ShardCycles(client);
      cluster.lead("a (sharded)");
      var a = cluster.cycle("a");
      var b = cluster.cycle("b");
      cluster.runAll(6, a, b);
      cluster.runAll(4, b);
      cluster.time += 3 * SECOND;
      int[] looks = {moment};
      cluster.meanwhile =
          () -> {
            if (looks[0]-- == 0) {
              a.run();
            }
          };
      b.run();
      cluster.meanwhile = () -> {};
      cameBack = looks[0] < 0;
      requireNoneHeldTwice(cluster, List.of(a, b));
      assertThat(moment).as("looks at a clock in a heartbeat").isLessThan(200);
    }
  }

  /**
   * One replica is silent for a while and comes back between any two requests of another, which is
   * the moment at which its shards are taken. At none of these moments two may write for one shard.
   */
  @Test
  void noShardIsEverHeldTwice() {
    int taken = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      var random = new SplittableRandom(seed);
      client.leases().inNamespace("prescale").delete();
      client.configMaps().inNamespace("prescale").delete();
      var cluster = new ShardCycles(client);
      cluster.lead("r0 (sharded)");
      var all = List.of(cluster.cycle("r0"), cluster.cycle("r1"), cluster.cycle("r2"));
      cluster.runAll(4, all.toArray(ShardCycle[]::new));
      int[] silent = {random.nextInt(all.size())};
      boolean[] back = {false};
      cluster.meanwhile =
          () -> {
            cluster.time += SECOND / 100;
            requireNoneHeldTwice(cluster, all);
            if (!back[0] && random.nextInt(120) == 0) {
              back[0] = true;
              all.get(silent[0]).run();
              silent[0] = random.nextInt(all.size());
              back[0] = false;
            }
          };
      for (int step = 0; step < 40; step++) {
        cluster.time += SECOND;
        for (int i = 0; i < all.size(); i++) {
          if (i != silent[0]) {
            all.get(i).run();
          }
        }
      }
      cluster.meanwhile = () -> {};
      taken += transitions() - Shards.COUNT;
      cluster.runAll(12, all.toArray(ShardCycle[]::new));
      assertThat(all)
          .as("seed %d: all is well again", seed)
          .allSatisfy(it -> assertThat(it.own().size()).isBetween(10, 11));
    }
    assertThat(taken).as("claims after the first of each shard").isGreaterThan(SEEDS * 20);
  }

  private static void requireNoneHeldTwice(ShardCycles cluster, List<ShardCycle> all) {
    var then = cluster.meanwhile;
    cluster.meanwhile = () -> {}; // the check does not take time
    for (int shard = 0; shard < Shards.COUNT; shard++) {
      int number = shard;
      long holders = all.stream().filter(it -> it.holds(number)).count();
      assertThat(holders).as("holders of shard %d", shard).isLessThanOrEqualTo(1);
    }
    cluster.meanwhile = then;
  }

  /** How often a shard was claimed. */
  private int transitions() {
    return ShardCycles.leases(client)
        .mapToInt(lease -> lease.getSpec().getLeaseTransitions())
        .sum();
  }
}
