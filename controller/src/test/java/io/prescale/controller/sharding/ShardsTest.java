package io.prescale.controller.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicas with threads of their own, whose heartbeats are twenty times as fast as usual. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
@Timeout(120)
class ShardsTest {
  private static final ShardTimes FAST =
      new ShardTimes(
          Duration.ofMillis(100),
          Duration.ofSeconds(4), // a busy machine must not look like a dead one
          Duration.ofSeconds(5),
          Duration.ofMinutes(1));

  private KubernetesClient client;
  private final AtomicBoolean cannotEnd = new AtomicBoolean();
  private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
  private final Map<String, Integer> worksOn = new ConcurrentHashMap<>();

  @BeforeEach
  void oneLeads() {
    new ShardCycles(client).lead(Shards.leader("a"));
  }

  @Test
  void replicasShareAndTheOneThatStaysTakesAll() {
    try (var a = shards("a", new AtomicInteger())) {
      a.start();
      await().until(a::count, count -> count == 32);
      assertThat(a.holds(0)).isTrue();
      try (var b = shards("b", new AtomicInteger())) {
        b.start();
        await().until(() -> a.count() == 16 && b.count() == 16);
        for (int shard = 0; shard < Shards.COUNT; shard++) {
          assertThat(a.holds(shard)).as("shard %d", shard).isNotEqualTo(b.holds(shard));
          assertThat(a.owns(shard)).isEqualTo(a.holds(shard));
        }
        await().until(() -> worksOn.equals(Map.of("a", 16, "b", 16)));
      }
      await().until(a::count, count -> count == 32);
    }
    assertThat(events).containsSubsequence("a begins", "b begins", "b ends", "a ends");
  }

  @Test
  void oneWhoseWorkCannotBeginTakesNoPartUntilItCan() {
    var failures = new AtomicInteger(3);
    try (var a = shards("a", failures)) {
      a.start();
      await().until(a::count, count -> count == 32);
      assertThat(failures).hasValue(0);
    }
  }

  @Test
  void oneThatResignsBeginsAnew() {
    try (var a = shards("a", new AtomicInteger())) {
      a.start();
      await().until(a::count, count -> count == 32);
      events.clear();

      a.resign();

      assertThat(a.holds(0)).as("at once").isFalse();
      await().until(() -> events.containsAll(Set.of("a ends", "a begins")));
      await().until(a::count, count -> count == 32);
    }
  }

  @Test
  void oneWhoseWorkCannotEndBeginsAnewAllTheSame() {
    cannotEnd.set(true);
    try (var a = shards("a", new AtomicInteger())) {
      a.start();
      await().until(a::count, count -> count == 32);

      events.clear();

      a.resign();

      await().until(() -> events.containsAll(Set.of("a ends", "a begins")));
      await().until(a::count, count -> count == 32);
    }
  }

  @Test
  void eachPageOfValuesIsInOneShard() {
    for (int page = 0; page < Shards.COUNT; page++) {
      assertThat(Shards.of(page / (double) Shards.COUNT)).isEqualTo(page);
      assertThat(Shards.of(Math.nextDown((page + 1) / (double) Shards.COUNT))).isEqualTo(page);
    }
  }

  private Shards shards(String identity, AtomicInteger failures) {
    return new Shards(
        client,
        "prescale",
        "prescale",
        identity,
        InstantSource.system(),
        System::nanoTime,
        FAST,
        new SharedWork() {
          @Override
          public void begin() {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
              throw new IllegalStateException("a test says so");
            }
            events.add(identity + " begins");
          }

          @Override
          public void moved(Set<Integer> shards) {
            events.add("%s moved %s".formatted(identity, shards));
          }

          @Override
          public void worksOn(int shards) {
            worksOn.put(identity, shards);
          }

          @Override
          public void end() {
            events.add(identity + " ends");
            if (cannotEnd.get()) {
              throw new IllegalStateException("a test says so");
            }
          }
        });
  }
}
