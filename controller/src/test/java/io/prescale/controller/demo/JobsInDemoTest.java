package io.prescale.controller.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.web.ActionsView.Event;
import io.prescale.controller.web.GpusView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A morning with Jobs, whose HPAs ask for a fifth more than the newest demand. */
class JobsInDemoTest {
  private static final DemoSettings SETTINGS = DemoSettings.of(2, 7, true, 1);
  private static final Duration LEAD = Duration.ofMinutes(6);

  private final MetricStore scraped = new MetricStore(SETTINGS.historyStart());
  private final Simulation simulation = new Simulation(SETTINGS, scraped);
  private final JobEvents events = new JobEvents();
  private final List<Event> first = new ArrayList<>();
  private boolean isDown;

  private void pass(int minutes, List<NextDay> nextDays) {
    for (int i = 0; i < minutes; i++) {
      var now = simulation.now();
      simulation
          .cluster()
          .shared()
          .book(nextDays.stream().flatMap(it -> it.pass(now, LEAD).stream()).toList());
      simulation.pass((workload, _) -> OptionalDouble.of(1.2 * demand(workload)), false);
      if (!isDown) {
        simulation
            .services()
            .forEach(it -> scraped.add(it.workload().name(), simulation.now(), it.demand()));
      }
      events.add(simulation.cluster().shared().happened(), now);
      first.addAll(events.firstOfTheDay());
    }
  }

  private double demand(Workload workload) {
    return simulation.services().stream()
        .filter(it -> it.workload().equals(workload))
        .findFirst()
        .orElseThrow()
        .demand();
  }

  private List<NextDay> nextDays() {
    var nodes = Set.copyOf(simulation.cluster().scheduler().nodes());
    return simulation.services().stream()
        .map(it -> new NextDay(it.workload(), scraped, SETTINGS, Runnable::run, nodes))
        .toList();
  }

  @Test
  void forecastsBookCardsBeforeTheMorningAndJobsGiveThemBack() {
    var nextDays = nextDays();
    var page = new DemoGpus(simulation).page(new GpusView.Query(GpusView.Show.ALL, 0, 24));
    assertThat(page.queues()).extracting("name").containsExactly("serving", "training");
    assertThat(page.totals().allocatedMilli()).isGreaterThan(45_000);

    pass(4 * 60, nextDays);

    assertThat(first)
        .extracting(Event::text)
        .anyMatch(
            it ->
                it.matches(
                    "train-.* notice to give cards back by 0[789]:.* is expected to need them."))
        .anyMatch(
            it -> it.matches("train-.* paused, with the work saved: the cards are kept for .*"))
        .anyMatch(it -> it.matches("train-.* go(es)? on, on cards that no service needs\\."));
    assertThat(simulation.cluster().shared().work()).isGreaterThan(Duration.ofHours(100));
    assertThat(simulation.cluster().shared().lost()).isZero();
    assertThat(events.events()).hasSizeBetween(4, 40);
  }

  /** As in a cluster: no HPA can use the cards, so that they would be idle. */
  @Test
  void inAnOutageTheLastForecastKeepsCardsForFourHours() {
    var nextDays = nextDays();
    pass(60, nextDays);
    assertThat(booked(nextDays)).isEqualTo(2);
    isDown = true;

    pass(4 * 60 - 1, nextDays);
    assertThat(booked(nextDays)).isEqualTo(2);
    pass(1, nextDays);
    assertThat(booked(nextDays)).isZero();

    isDown = false;
    pass(40, nextDays);
    assertThat(booked(nextDays)).isEqualTo(2);
  }

  private long booked(List<NextDay> nextDays) {
    return nextDays.stream().flatMap(it -> it.pass(simulation.now(), LEAD).stream()).count();
  }

  @Test
  void aLostCardCostsAJobTheWorkSinceItsLastCheckpointOnly() {
    pass(60, List.of());
    for (int i = 0; i < 8; i++) {
      simulation.cluster().lose(simulation.cluster().busiestCard().orElseThrow(), simulation.now());
    }
    pass(1, List.of());

    assertThat(simulation.cluster().shared().lost().toMinutes()).isBetween(1L, 8L * 4 * 30);
    assertThat(simulation.cluster().repair()).isEqualTo(8);
  }
}
