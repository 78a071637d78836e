package io.prescale.controller.sharding;

import static io.prescale.controller.sharding.ShardCycles.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.controller.cluster.LeaseHolder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas whose cycles run when the test says so, in time that the test makes. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
@Timeout(120)
class ShardCycleTest {
  private KubernetesClient client;
  private ShardCycles cluster;

  @BeforeEach
  void newCluster() {
    cluster = new ShardCycles(client);
  }

  @Test
  void aThirdReplicaTakesAThirdAndNothingElseMoves() {
    cluster.lead("a (sharded)");
    var a = cluster.cycle("a");
    cluster.run(a, 1);
    assertThat(a.own()).as("a first replica need not wait").hasSize(32);
    var b = cluster.cycle("b");
    cluster.runAll(4, a, b);
    assertThat(a.own()).hasSize(16);
    assertThat(b.own()).hasSize(16);
    var before = List.of(a.own(), b.own());
    cluster.moves.clear();

    var c = cluster.cycle("c");
    cluster.runAll(4, a, b, c);

    assertThat(List.of(a.own().size(), b.own().size(), c.own().size()))
        .containsExactlyInAnyOrder(11, 11, 10);
    assertThat(before.get(0)).as("none came to the first").containsAll(a.own());
    assertThat(before.get(1)).as("none came to the second").containsAll(b.own());
    int left = cluster.moves.stream().mapToInt(Set::size).sum();
    assertThat(left).as("each that moved left one and came to another").isEqualTo(20);
  }

  @Test
  void theShardsOfASilentReplicaAreTakenWithinFourteenSeconds() {
    cluster.lead("a (sharded)");
    var a = cluster.cycle("a");
    var b = cluster.cycle("b");
    cluster.runAll(6, a, b);
    assertThat(b.own()).hasSize(16);
    long died = cluster.time;

    while (a.own().size() < 32) {
      cluster.run(a, 1);
    }

    assertThat(cluster.time - died).isBetween(10 * SECOND, 14 * SECOND);
    assertThat(a.holds(31) && a.holds(0)).isTrue();
    assertThat(b.holds(31) || b.holds(0)).as("it trusts itself no longer").isFalse();
  }

  @Test
  void aReplicaThatWasFrozenKeepsOnlyWhatNoOtherTook() {
    cluster.lead("a (sharded)");
    var a = cluster.cycle("a");
    var b = cluster.cycle("b");
    cluster.runAll(6, a, b);
    cluster.time += 9 * SECOND; // both were frozen

    assertThat(a.own()).as("as far as it knows").hasSize(16);
    assertThat(a.own()).as("but it writes nothing").noneMatch(a::holds);
    cluster.run(a, 1);

    assertThat(a.own()).as("silence while it did not listen means nothing").hasSize(16);
    assertThat(a.own()).allMatch(a::holds);
    cluster.run(a, 7);
    assertThat(a.own()).as("the other is still frozen").hasSize(32);
    cluster.run(b, 1);
    assertThat(b.own()).isEmpty();
  }

  @Test
  void whoStopsLeavesAllAtOnce() {
    cluster.lead("a (sharded)");
    var a = cluster.cycle("a");
    var b = cluster.cycle("b");
    cluster.runAll(6, a, b);

    b.stop();
    b.leave();
    cluster.run(a, 1);

    assertThat(a.own()).hasSize(32);
    assertThat(replicas()).containsExactly("a");
  }

  @Test
  void whileOneReplicaLeadsAllNothingIsClaimedAndWhatWasIsLeft() {
    cluster.lead("old");
    var a = cluster.cycle("a");
    cluster.run(a, 3);
    assertThat(a.own()).isEmpty();

    cluster.lead("a (sharded)");
    cluster.run(a, 1);
    assertThat(a.own()).hasSize(32);

    cluster.lead("new");
    cluster.run(a, 1);
    assertThat(a.own()).as("at once").isEmpty();
    cluster.run(a, 1);
    assertThat(heldByLeases()).as("with the next heartbeat").isZero();
  }

  @Test
  void withoutALeaderNothingIsClaimedAndNothingIsLeft() {
    cluster.lead("a (sharded)");
    var a = cluster.cycle("a");
    cluster.run(a, 1);
    cluster.lead("");
    var b = cluster.cycle("b");
    cluster.runAll(6, a, b);

    assertThat(a.own()).hasSize(32).allMatch(a::holds);
    assertThat(b.own()).isEmpty();
  }

  @Test
  void aSlowServerDoesNotCostTheTrust() {
    cluster.lead("a (sharded)");
    var a = cluster.cycle("a");
    cluster.meanwhile = () -> cluster.time += SECOND * 3 / 10;
    for (int i = 0; i < 12; i++) {
      cluster.run(a, 1);
      assertThat(a.trusted()).as("after heartbeat %d", i).isGreaterThan(Math.min(31, 2 * i));
    }
  }

  @Test
  void whileTheLeasesCannotBeReadThereIsNoTrust() {
    cluster.lead("a (sharded)");
    var a = cluster.cycle("a");
    cluster.run(a, 1);
    client.getHttpClient().close();
    cluster.time += 9 * SECOND;

    assertThatThrownBy(a::run).isInstanceOf(Exception.class);

    assertThat(a.trusted()).isZero();
    assertThat(a.own()).as("as far as it knows").hasSize(32);
  }

  @Test
  void theHeartbeatOfOneThatIsLongGoneIsRemoved() {
    cluster.lead("a (sharded)");
    var a = cluster.cycle("a");
    cluster.run(cluster.cycle("gone"), 1);
    cluster.run(a, 10);
    assertThat(replicas()).containsExactlyInAnyOrder("a", "gone");
    cluster.run(a, 60);

    assertThat(replicas()).containsExactly("a");
  }

  @Test
  void aLeaseThatAnotherTookIsGivenUpAtTheNextHeartbeat() {
    cluster.lead("a (sharded)");
    var a = cluster.cycle("a");
    cluster.run(a, 1);
    var leases = client.leases().inNamespace("prescale");
    leases
        .withName(Shards.lease(7))
        .edit(
            lease -> new LeaseBuilder(lease).editSpec().withHolderIdentity("b").endSpec().build());

    cluster.run(a, 1);

    assertThat(a.holds(7)).isFalse();
    assertThat(a.own()).as("and the other has its share").doesNotContain(7).hasSize(16);
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
    return ShardCycles.leases(client).filter(lease -> LeaseHolder.of(lease).isPresent()).count();
  }
}
