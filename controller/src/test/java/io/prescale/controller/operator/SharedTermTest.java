package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.sharding.Shards;
import io.prescale.controller.values.ValuePublisher;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The term of a replica that shares the work with another one. */
@MockApi(crud = true)
@Timeout(120)
@NullUnmarked // the extension sets the client and the server
class SharedTermTest {
  private final Set<Integer> others = ConcurrentHashMap.newKeySet();
  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void onlyThePredictiveHpasOfItsOwnShardsAreReconciled() {
    try (var term = term()) {
      var theirs = term.put("theirs", "4");
      others.add(shard(theirs));
      var ours = putInAnotherShard(term, "ours");
      term.begin();

      assertThat(term.unready(ours)).isPresent();
      assertThat(hasStatus(term, "theirs")).isFalse();
    }
  }

  @Test
  void oneThatMovesHereIsReconciledAtOnceAndOneThatMovesAwayNoMore() {
    try (var term = term()) {
      var chat = term.put("chat", "4");
      others.add(shard(chat));
      var ours = putInAnotherShard(term, "ours");
      term.begin();
      assertThat(term.unready(ours)).isPresent();

      others.remove(shard(chat));
      term.moved(shard(chat));
      assertThat(term.unready("chat")).isPresent();

      others.add(shard(chat));
      term.put("chat", "6"); // without its status
      for (int i = 0; i < 2; i++) { // whatever would be written about the first one is written then
        term.moved(shard(chat));
        var again = term.put(ours, "6");
        term.moved(shard(again));
        await().atMost(Duration.ofSeconds(60)).until(() -> hasStatus(term, ours));
      }
      assertThat(hasStatus(term, "chat")).isFalse();
    }
  }

  /** Another replica writes them while a shard is its own. */
  @Test
  void whatWasSavedIsReadAgainWhenItsShardMovesOrTheTermEnds() {
    try (var term = term()) {
      int before = server.getRequestCount();
      var shard = Shards.of(ValuePublisher.position("chat"));
      for (int i = 0; i < 3; i++) {
        assertThat(term.saved("chat")).isEmpty();
        assertThat(server.getRequestCount()).as("once for a minute").isEqualTo(before + 1);
        term.moved((shard + 1) % Shards.COUNT);
      }

      term.moved(shard);
      assertThat(term.saved("chat")).isEmpty();
      assertThat(server.getRequestCount()).isEqualTo(before + 2);
      term.end();
      assertThat(term.saved("chat")).isEmpty();
      assertThat(server.getRequestCount()).isEqualTo(before + 3);
    }
  }

  private ReconcilingInMock term() {
    return new ReconcilingInMock(
        client,
        Set.of(),
        Optional.of(PrometheusServer.at(URI.create("http://127.0.0.1:1"))),
        new MemoryBudget(1L << 30),
        new Duty(
            position -> !others.contains(Shards.of(position)),
            position -> others.contains(Shards.of(position)),
            () -> 0.5),
        TenantLimits.defaults().objectsPerNamespace(),
        () -> {});
  }

  /** The server chooses UIDs, and with them shards; gives the name of the one that was made. */
  private String putInAnotherShard(ReconcilingInMock term, String name) {
    for (int i = 0; ; i++) {
      var made = term.put(name + "-" + i, "4");
      if (!others.contains(shard(made))) {
        return made.getMetadata().getName();
      }
    }
  }

  private static int shard(GenericKubernetesResource resource) {
    return Shards.of(ValuePublisher.position(resource.getMetadata().getUid()));
  }

  private static boolean hasStatus(ReconcilingInMock term, String name) {
    return Objects.nonNull(term.stored(name).<Object>get("status", "conditions"));
  }
}
