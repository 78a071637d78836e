package io.prescale.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.scheduler.moves.MoveRow;
import io.prescale.controller.web.ActionsView.Outcome;
import io.prescale.placement.cluster.GpuHealth;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class IncidentsTest {
  private static final DemoSettings SETTINGS = DemoSettings.of(5, 7, false, 1);

  private final Simulation simulation =
      new Simulation(SETTINGS, new MetricStore(SETTINGS.historyStart()));
  private final Incidents incidents = new Incidents(simulation);

  private SimulatedService service(int index) {
    return simulation.services().get(index);
  }

  private void pass(int minutes) {
    for (int i = 0; i < minutes; i++) {
      simulation.pass((workload, _) -> OptionalDouble.of(6 * workload.capacityPerReplica()), false);
    }
  }

  @Test
  void aSpikeNearlyDoublesTheLoadWithinMinutesAndFades() {
    var calm = new Simulation(SETTINGS, new MetricStore(SETTINGS.historyStart()));

    assertThat(incidents.perform("spike", "chat-8b"))
        .isEqualTo(new Outcome.Done("The load of chat-8b nearly doubles."));

    for (int i = 0; i < 5; i++) {
      pass(1);
      calm.pass((workload, _) -> OptionalDouble.of(6 * workload.capacityPerReplica()), false);
    }
    double spiked = service(1).demand() / calm.services().get(1).demand();
    assertThat(spiked).isBetween(1.6, 2.0);
    assertThat(service(0).demand()).isEqualTo(calm.services().get(0).demand());
    for (int i = 0; i < 75; i++) {
      pass(1);
      calm.pass((workload, _) -> OptionalDouble.of(6 * workload.capacityPerReplica()), false);
    }
    assertThat(service(1).demand() / calm.services().get(1).demand()).isBetween(1.0, 1.1);
  }

  @Test
  void aLostCardsPodsStartAnewElsewhere() {
    pass(12);
    int ready = service(0).newest().ready();

    var outcome = incidents.perform("lose-card", "");

    assertThat(outcome).isInstanceOf(Outcome.Done.class);
    var sick =
        simulation
            .cluster()
            .nodes()
            .nodes()
            .flatMap(node -> node.spec().gpus().stream())
            .filter(gpu -> gpu.health().state() == GpuHealth.State.UNHEALTHY)
            .toList();
    assertThat(sick).hasSize(1);
    assertThat(sick.getFirst().health().xids()).containsExactly(79);
    assertThat(simulation.cluster().nodes().placements())
        .allSatisfy(
            placement ->
                assertThat(placement.shares())
                    .noneMatch(share -> share.uuid().equals(sick.getFirst().uuid())));
    assertThat(simulation.cluster().decisions().getFirst().node()).isNotEmpty();
    pass(12);
    assertThat(service(0).newest().ready()).isEqualTo(ready);
  }

  @Test
  void aLostCardIsGivenToNobodyUntilItIsRepaired() {
    incidents.perform("lose-card", "");
    var lost = lostCard();

    passWithEveryCardWanted();
    assertThat(placementsOn(lost)).isZero();
    assertThat(simulation.services())
        .anyMatch(it -> simulation.cluster().unplaced(it.workload()) > 0);

    assertThat(incidents.perform("repair-cards", ""))
        .isEqualTo(new Outcome.Done("1 sick card is replaced."));
    passWithEveryCardWanted();
    assertThat(placementsOn(lost)).isPositive();
  }

  @Test
  void replicasMoveOffAWornCardOneAfterTheOther() {
    assertThat(incidents.perform("wear-card", "")).isInstanceOf(Outcome.Done.class);
    var worn = lostCard();
    long replicas = placementsOn(worn);
    assertThat(replicas).isPositive();

    pass(4);
    assertThat(placementsOn(worn))
        .as("what is sick for a moment is left alone")
        .isEqualTo(replicas);
    for (int minute = 0; minute < 120 && placementsOn(worn) > 0; minute++) {
      pass(1);
      assertThat(simulation.cluster().moved().shown())
          .as("one at a time")
          .filteredOn(it -> it.state() == MoveRow.State.NOTICED)
          .hasSizeLessThanOrEqualTo(1);
    }

    assertThat(placementsOn(worn)).isZero();
    pass(2);
    assertThat(simulation.cluster().moved().shown())
        .hasSize((int) replicas)
        .allMatch(it -> it.state() == MoveRow.State.MADE)
        .allMatch(it -> it.reason().equals("a card of it is sick"));
  }

  private String lostCard() {
    return simulation
        .cluster()
        .nodes()
        .nodes()
        .flatMap(node -> node.spec().gpus().stream())
        .filter(gpu -> gpu.health().state() == GpuHealth.State.UNHEALTHY)
        .findFirst()
        .orElseThrow()
        .uuid();
  }

  private long placementsOn(String card) {
    return simulation
        .cluster()
        .nodes()
        .placements()
        .filter(it -> it.shares().stream().anyMatch(share -> share.uuid().equals(card)))
        .count();
  }

  private void passWithEveryCardWanted() {
    for (int i = 0; i < 20; i++) {
      simulation.pass(
          (workload, _) -> OptionalDouble.of(40 * workload.capacityPerReplica()), false);
    }
  }

  @Test
  void everyLossTakesAnotherCardEvenAfterRepairs() {
    var taken = new HashSet<String>();
    for (int i = 0; i < 6; i++) {
      pass(12);
      incidents.perform("lose-card", "");
      assertThat(taken.add(lostCard())).as("loss %d takes %s", i, lostCard()).isTrue();
      incidents.perform("repair-cards", "");
    }
  }

  @Test
  void whoOnlyWatchesSeesWhatTheRiseWasLikeAndThenALostCard() {
    var said = new ArrayList<String>();
    for (int minute = 0; minute < 24 * 60; minute++) {
      pass(1);
      incidents.byItself().ifPresent(it -> said.add(it.at() + " " + it.text()));
    }

    assertThat(said).hasSize(2);
    assertThat(said.getFirst())
        .matches(
            "2026-01-19T09:15:00Z The morning's rise is over: with Prescale, capacity fell short"
                + " for .* in all; a reactive HPA would have let it fall short for .* min.*");
    assertThat(said.getLast())
        .startsWith("2026-01-19T09:45:00Z ")
        .contains("falls off the bus (XID 79)");
    assertThat(incidents.events()).hasSize(2);
  }

  @Test
  void everyOtherWishIsRefusedInASentence() {
    assertThat(incidents.perform("repair-cards", ""))
        .isEqualTo(new Outcome.Refused("No card is sick."));
    assertThat(incidents.perform("start-prometheus", ""))
        .isEqualTo(new Outcome.Refused("Prometheus runs already."));
    assertThat(incidents.perform("spike", "nothing"))
        .isEqualTo(
            new Outcome.Refused(
                "There is no workload nothing; there are chat-70b, chat-8b, code-assist,"
                    + " embeddings, speech."));
    assertThat(incidents.perform("lose-card", "l40s-01-1"))
        .isEqualTo(new Outcome.Refused("lose-card takes no name, and l40s-01-1 is one."));
    assertThat(incidents.perform("<script>", ""))
        .isEqualTo(new Outcome.Refused("There is no action called <script>."));
    assertThat(incidents.events()).isEmpty();
  }

  @Test
  void everyOfferCanBePerformed() {
    assertThat(incidents.actions()).hasSize(6);
    for (String action :
        new String[] {"stop-prometheus", "start-prometheus", "wear-card", "lose-card"}) {
      assertThat(incidents.perform(action, "")).isInstanceOf(Outcome.Done.class);
    }
    assertThat(incidents.events()).hasSize(4);
    assertThat(incidents.events().getFirst().text()).contains("falls off the bus (XID 79)");
  }
}
