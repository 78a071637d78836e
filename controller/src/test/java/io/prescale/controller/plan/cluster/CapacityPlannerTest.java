package io.prescale.controller.plan.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.api.v1alpha1.PlanAsk;
import io.prescale.controller.api.v1alpha1.PlanPeak;
import io.prescale.controller.api.v1alpha1.PlanStatement;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.DemandAhead.Bounds;
import io.prescale.controller.plan.Dependence;
import io.prescale.controller.plan.cluster.CapacityPlanner.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What fits of a day's needs, by production placement, on four nodes with two cards each. */
class CapacityPlannerTest {
  private static final Instant NOW = Instant.parse("2026-11-24T00:00:00Z");
  private static final Duration STEP = Duration.ofMinutes(15);
  private static final int STEPS = 96;
  private static final int NINE = 36;
  private static final int SEVENTEEN = 68;

  private final PlannedObjects cluster = new PlannedObjects().nodes(4);

  /** From nine to five: four times the level, eight in the middle; at night two. */
  private static double officeHours(int h, double level) {
    return h >= NINE && h < SEVENTEEN ? 4 + 8 * level : 2;
  }

  private static DemandAhead demand(ToDoubleBiFunction<Integer, Double> of) {
    return DemandAhead.of(NOW, STEP, STEPS, of, List.of(new Bounds(STEPS, 1, 50)));
  }

  private Service service(String name, ToDoubleBiFunction<Integer, Double> demand) {
    return new Service(
        "team/" + name, demand(demand), Duration.ofMinutes(5), cluster.pods(name, NOW));
  }

  private Answer plan(PlanQuestion question, Service... services) {
    var past = new TreeMap<String, Map<Instant, Double>>();
    Stream.of(services).forEach(it -> past.put(it.name(), Map.of()));
    return CapacityPlanner.plan(
        cluster.objects(), Map.of(), List.of(services), Dependence.learn(past), question, NOW);
  }

  private Answer plan(Service... services) {
    return plan(PlanQuestion.usual(), services);
  }

  private static PlanStatement only(Answer answer) {
    assertThat(answer.statements()).hasSize(1);
    return answer.statements().getFirst();
  }

  @Test
  void whatFitsIsNoStatement() {
    cluster.running("chat", 2);

    var answer = plan(service("chat", (_, level) -> 8 * level));

    assertThat(answer.statements()).isEmpty();
    assertThat(answer.shapes()).hasSize(1);
    assertThat(answer.shapes().getFirst().running()).isEqualTo(2);
    assertThat(answer.shapes().getFirst().peaks())
        .extracting(PlanPeak::replicas)
        .containsExactly(4, 8, 8);
  }

  @Test
  void partsOfCardsAreCountedAsParts() {
    cluster.target("small", "{nvidia.com/gpu: 1, nvidia.com/gpumem: 10240}");

    var answer = plan(service("small", (_, _) -> 10));

    assertThat(answer.shapes().getFirst().peaks())
        .allSatisfy(
            it -> {
              assertThat(it.replicas()).isEqualTo(10);
              assertThat(it.cards()).as("of 40 GiB, a quarter of each").isEqualTo("2.5");
            });
  }

  @Test
  void theMorningsNeedIsStatedWithWhatFitsAndWhatWouldHelp() {
    cluster.running("chat", 2).running("other", 1);

    var statement = only(plan(service("chat", CapacityPlannerTest::officeHours)));

    assertThat(statement.from()).isEqualTo("2026-11-24T09:00:00Z");
    assertThat(statement.until()).isEqualTo("2026-11-24T17:00:00Z");
    assertThat(statement.needed()).isEqualTo(12);
    assertThat(statement.fits()).isEqualTo(7);
    // More than 7 of 4 + 8u: u > 3/8.
    assertThat(statement.percent()).isBetween(61, 64);
    var nodes = Objects.requireNonNull(statement.nodes());
    assertThat(nodes.count()).isEqualTo(3);
    assertThat(nodes.kind()).isEqualTo("2 x NVIDIA A100");
    assertThat(nodes.startBy()).isEqualTo("2026-11-24T08:45:00Z");
    assertThat(statement.message())
        .startsWith("Tue 09:00 UTC: team/chat: 12 x 1 GPU")
        .contains("(P90); 7 fit; for 5: 3 nodes 2 x NVIDIA A100, ordered by Tue 08:45;")
        .endsWith("%.");
  }

  @Test
  void growthAndNodesThatAreGoneMakeItMore() {
    cluster.running("chat", 2);
    ToDoubleBiFunction<Integer, Double> six = (_, _) -> 6;

    assertThat(plan(service("chat", six)).statements()).isEmpty();
    var grown = new PlanQuestion(0.9, 1.5, Set.of(), Duration.ZERO);
    assertThat(only(plan(grown, service("chat", six))).needed()).isEqualTo(9);
    // The two replicas run on the first node, and have to go elsewhere.
    var without = new PlanQuestion(0.9, 1, Set.of("n0", "n1"), Duration.ZERO);
    assertThat(only(plan(without, service("chat", six))).fits()).isEqualTo(4);
    var unknown = new PlanQuestion(0.9, 1, Set.of("n9"), Duration.ZERO);
    assertThatThrownBy(() -> plan(unknown, service("chat", six)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the cluster has no node n9");
  }

  @Test
  void workWithADeadlineIsGoneByThen() {
    cluster.running("chat", 2).running("train", 6);
    var services = List.of(service("chat", CapacityPlannerTest::officeHours));
    var dependence = Dependence.learn(Map.of("team/chat", Map.of()));
    var ends = new TreeMap<String, Instant>();
    cluster.uids("train").forEach(uid -> ends.put(uid, NOW.plus(Duration.ofHours(12))));

    var statements =
        CapacityPlanner.plan(
                cluster.objects(), ends, services, dependence, PlanQuestion.usual(), NOW)
            .statements();

    assertThat(statements).hasSize(1);
    assertThat(statements.getFirst().fits()).isEqualTo(2);
    assertThat(statements.getFirst().until()).isEqualTo("2026-11-24T17:00:00Z");
    var short6 = List.of(service("chat", (h, _) -> h >= NINE ? 6 : 2));
    assertThat(
            CapacityPlanner.plan(
                    cluster.objects(), ends, short6, dependence, PlanQuestion.usual(), NOW)
                .statements()
                .getFirst()
                .until())
        .as("from noon on six fit")
        .isEqualTo("2026-11-24T12:00:00Z");
  }

  @Test
  void servicesOfOneShapeNeedTheQuantileOfTheirSum() {
    var answer =
        plan(service("chat", (_, level) -> 4 * level), service("code", (_, level) -> 4 * level));

    assertThat(answer.shapes()).hasSize(1);
    assertThat(answer.shapes().getFirst().workloads()).containsExactly("team/chat", "team/code");
    assertThat(answer.shapes().getFirst().peaks().get(1).replicas()).isEqualTo(8);
    assertThat(answer.statements()).isEmpty();
  }

  @Test
  void podsOnBorrowedCardsAreNamedAndWhenTheirNoticeBegins() {
    cluster
        .running("chat", 2)
        .queue("serving", "{\"guarantee\": 8}")
        .queue("training", "{\"reclaim\": {\"mode\": \"Act\", \"grace\": \"30m\"}}")
        .inQueue("serving", it -> it.target("chat"))
        .inQueue("training", it -> it.running("train", 6));

    var statement = only(plan(service("chat", (h, _) -> h >= NINE && h < SEVENTEEN ? 5 : 2)));

    assertThat(statement.needed()).isEqualTo(5);
    assertThat(statement.fits()).isEqualTo(2);
    assertThat(statement.askedFit()).isEqualTo(3);
    assertThat(statement.asks())
        .hasSize(3)
        .allSatisfy(ask -> assertThat(ask.pod()).startsWith("team/train-"))
        .extracting(PlanAsk::notice)
        .containsOnly(Instant.parse("2026-11-24T08:25:00Z"));
    assertThat(statement.nodes()).isNull();
    assertThat(statement.message()).contains("for 3: ask team/train-").contains("08:25");
  }

  @Test
  void aShapeThatNoNodeHoldsIsSaidSo() {
    cluster.target("huge", "{nvidia.com/gpu: 16}");

    var statement = only(plan(service("huge", (_, _) -> 1)));

    assertThat(statement.fits()).isZero();
    assertThat(statement.nodes()).isNull();
    assertThat(statement.message()).contains("no kind of node here would hold one");
  }

  @Test
  void nodesThatWouldHelpHaveCardsOfTheModelsOfTheQueue() {
    cluster
        .nodes(4, 5, "NVIDIA H100")
        .queue("fast", "{\"models\": [\"H100\"], \"limit\": 2}")
        .inQueue("fast", it -> it.target("chat"));

    var statement = only(plan(service("chat", (h, _) -> h >= NINE && h < SEVENTEEN ? 5 : 2)));

    assertThat(statement.fits()).isEqualTo(2);
    var nodes = Objects.requireNonNull(statement.nodes());
    assertThat(nodes.kind()).isEqualTo("2 x NVIDIA H100");
    assertThat(nodes.count()).isEqualTo(2);
  }

  @Test
  void servicesWithoutCardsAreNotPlanned() {
    cluster.target("cpu", "{cpu: 1}");

    var answer = plan(service("cpu", CapacityPlannerTest::officeHours));

    assertThat(answer.shapes()).isEmpty();
    assertThat(answer.statements()).isEmpty();
    assertThat(plan().statements()).isEmpty();
  }
}
