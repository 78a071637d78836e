package io.prescale.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final DemoSettings SETTINGS = DemoSettings.of(5, 7, false, 1);

  private final MetricStore scraped = new MetricStore(SETTINGS.historyStart());
  private final Simulation simulation = new Simulation(SETTINGS, scraped);

  private SimulatedService service(String name) {
    return simulation.services().stream()
        .filter(it -> it.workload().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void pass(int minutes, SimulatedService.Metrics metrics) {
    for (int i = 0; i < minutes; i++) {
      simulation.pass(metrics, false);
    }
  }

  /** The HPA is asked for so many replicas of everything. */
  private static SimulatedService.Metrics replicas(int count) {
    return (workload, _) -> OptionalDouble.of(count * workload.capacityPerReplica());
  }

  @Test
  void hasTwoWeeksOfHistoryByTheMinute() {
    var day =
        scraped.range(
            "chat-8b",
            SETTINGS.start().minus(Duration.ofDays(14)),
            SETTINGS.start(),
            Duration.ofMinutes(1));

    assertThat(day).hasSize(14 * 24 * 60 + 1);
    assertThat(day).allMatch(sample -> sample.value() > 30);
    assertThat(day.getLast().value()).isEqualTo(service("chat-8b").demand());
  }

  @Test
  void beginsWithPodsThatServeTheLoad() {
    assertThat(simulation.services()).hasSize(5);
    assertThat(simulation.services())
        .allSatisfy(
            it -> {
              int ready = simulation.cluster().ready(it.workload(), simulation.now());
              assertThat(ready).isEqualTo(it.hpa().replicas());
              assertThat(ready * it.workload().capacityPerReplica()).isGreaterThan(it.demand());
            });
  }

  @Test
  void newPodsServeAfterTheirColdStart() {
    var chat = service("chat-8b");
    int before = chat.hpa().replicas();

    pass(1, replicas(12));

    assertThat(chat.newest().wanted()).isEqualTo(12);
    assertThat(chat.newest().ready()).isEqualTo(before);
    pass(1, replicas(12));
    assertThat(chat.newest().ready()).isEqualTo(before);
    pass(6, replicas(12));
    assertThat(chat.newest().ready()).isEqualTo(12);
  }

  @Test
  void tellsTheLeadTimeOfAScaleUpWhenItsPodsServe() {
    var chat = service("chat-8b");
    pass(1, replicas(12));
    assertThat(simulation.cluster().finishedScaleUps(simulation.now())).isEmpty();
    pass(9, replicas(12));

    var finished =
        simulation.cluster().finishedScaleUps(simulation.now()).stream()
            .filter(it -> it.workload().equals(chat.workload()))
            .toList();

    assertThat(finished).isNotEmpty();
    var first = finished.getFirst().scaleUp();
    assertThat(first.decided()).isEqualTo(SETTINGS.start());
    assertThat(first.pods())
        .allSatisfy(
            pod ->
                assertThat(Duration.between(pod.created(), pod.ready().orElseThrow()))
                    .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(10)));
    assertThat(simulation.cluster().finishedScaleUps(simulation.now())).isEmpty();
  }

  @Test
  void keepsItsReplicasWhileTheMetricIsUnknown() {
    int before = service("speech").hpa().replicas();

    pass(30, (_, _) -> OptionalDouble.empty());

    assertThat(service("speech").hpa().replicas()).isEqualTo(before);
    assertThat(service("speech").hpa().state().orElseThrow().conditions())
        .anyMatch(c -> c.type().equals("ScalingActive") && !c.isTrue());
  }

  /** As in an outage of Prometheus: what is short then is known to neither HPA. */
  @Test
  void whatIsNotObservedIsNoShortage() {
    var chat = service("chat-8b");
    pass(10, replicas(1));
    var observed = chat.shortage().total();
    assertThat(observed).isPositive();

    for (int i = 0; i < 30; i++) {
      simulation.pass((_, _) -> OptionalDouble.empty(), true);
    }

    assertThat(chat.shortage().total()).isEqualTo(observed);
    assertThat(chat.reactiveShortage().share()).isLessThanOrEqualTo(chat.shortage().share());
    assertThat(chat.newest().ready()).as("replicas are known all the same").isPositive();
    assertThat(chat.newest().observed()).isEmpty();
  }

  @Test
  void saysWhichGateHolds() {
    pass(1, replicas(12));
    pass(1, replicas(2));

    var state = service("chat-8b").hpa().state().orElseThrow();

    assertThat(state.desiredReplicas()).isEqualTo(12);
    assertThat(state.conditions())
        .anyMatch(c -> c.reason().equals("ScaleDownStabilized") && c.isTrue());
    assertThat(state.seen()).hasSize(1);
    assertThat(state.seen().getFirst().averageValue()).isEqualTo(Math.ceil(64_000.0 / 12) / 1000);
  }

  @Test
  void refusesWhatNoNodeHasRoomForAndSaysWhy() {
    pass(10, replicas(14));

    var chat = service("chat-70b");
    assertThat(chat.newest().wanted()).isEqualTo(14);
    assertThat(chat.newest().ready()).isEqualTo(8);
    assertThat(simulation.cluster().unplaced(chat.workload())).isEqualTo(6);
    assertThat(simulation.cluster().decisions())
        .anySatisfy(
            it -> {
              assertThat(it.node()).isEmpty();
              assertThat(it.reason())
                  .isEqualTo("5 nodes: lacks the kind of GPU; 2 nodes: lacks idle GPUs");
            });
  }

  @Test
  void placesWhatWaitsWhenRoomIsMade() {
    pass(10, replicas(14));
    pass(10, (workload, _) -> OptionalDouble.of(workload.name().equals("chat-70b") ? 14 * 40 : 32));
    assertThat(simulation.cluster().unplaced(service("chat-70b").workload())).isEqualTo(6);

    pass(12, replicas(6));

    assertThat(simulation.cluster().unplaced(service("chat-70b").workload())).isZero();
    assertThat(service("chat-70b").newest().ready()).isEqualTo(6);
  }

  @Test
  void everyPlacementIsWithinItsCard() {
    for (int i = 0; i < 60; i++) {
      int wanted = 3 + (7 * i) % 12;
      pass(1, replicas(wanted));
      assertThat(simulation.cluster().nodes().nodes())
          .allSatisfy(
              node -> {
                for (int card = 0; card < node.cards(); card++) {
                  assertThat(node.freeComputeMilli(card)).isBetween(0, 1000);
                  assertThat(node.freeGpuMemoryMib(card)).isNotNegative();
                }
              });
      long placed = simulation.cluster().pods().stream().filter(p -> p.isPlaced()).count();
      assertThat(simulation.cluster().nodes().placements().count()).isEqualTo(placed).isPositive();
    }
  }

  @Test
  void theSameSeedGivesTheSameCourse() {
    var other = new Simulation(SETTINGS, new MetricStore(SETTINGS.historyStart()));
    var different =
        new Simulation(DemoSettings.of(5, 7, false, 2), new MetricStore(SETTINGS.historyStart()));
    for (int i = 0; i < 30; i++) {
      int wanted = 4 + i % 5;
      simulation.pass(replicas(wanted), false);
      other.pass(replicas(wanted), false);
      different.pass(replicas(wanted), false);
    }

    assertThat(minutes(simulation)).isEqualTo(minutes(other)).isNotEqualTo(minutes(different));
  }

  private static List<Minute> minutes(Simulation simulation) {
    return simulation.services().stream().flatMap(it -> it.minutes().stream()).toList();
  }

  @Test
  void remembersADayOfMinutesTheHistoryIncluded() {
    var chat = service("chat-8b");
    assertThat(chat.minutes()).hasSize(1440);
    assertThat(chat.newest().wanted()).isZero();
    assertThat(chat.newest().reactiveReady()).isPositive();

    pass(5, replicas(5));

    assertThat(chat.minutes()).hasSize(1440);
    assertThat(chat.minutes().get(1434).wanted()).isZero();
    assertThat(chat.minutes().get(1435).wanted()).isPositive();
    assertThat(chat.newest().time()).isEqualTo(Instant.parse("2026-01-19T06:34:00Z"));
  }

  @Test
  void refusesAHistoryThatDoesNotBeginWithAMonday() {
    assertThatThrownBy(
            () ->
                new DemoSettings(
                    Instant.parse("2026-01-20T00:00:00Z"), Duration.ofDays(14), 1, 1, false, 1))
        .hasMessageContaining("does not begin with a Monday");
    assertThatThrownBy(() -> DemoSettings.of(0, 1, false, 1))
        .hasMessageContaining("workloads must be");
    assertThatThrownBy(() -> DemoSettings.of(1, 1001, false, 1)).hasMessageContaining("1 to 1000");
  }
}
