package io.prescale.controller.demo;

import io.prescale.controller.simulation.cards.MovedPods;
import io.prescale.controller.web.ActionsView.Action;
import io.prescale.controller.web.ActionsView.Event;
import io.prescale.controller.web.ActionsView.Outcome;
import io.prescale.forecasting.DurationInWords;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The actions on a simulation, and the events that they caused. Not thread-safe. */
final class Incidents {
  private static final int REMEMBERED = 40;

  /** Nearly doubles the load. */
  private static final double SPIKE = 1.0;

  private static final List<Action> ACTIONS =
      List.of(
          new Action(
              "spike",
              "Spike the load",
              "Nearly double the load of %s within three simulated minutes? It fades within the"
                  + " hour.",
              true),
          new Action(
              "lose-card",
              "Lose a card",
              "Make the busiest GPU fall off the bus (XID 79)? Its pods restart elsewhere.",
              false),
          new Action(
              "wear-card",
              "Wear out a card",
              "Make the busiest GPU with replicas report that rows of its memory could not be"
                  + " remapped? It gets no new pods, and its replicas move to other cards, one"
                  + " after the other.",
              false),
          new Action(
              "repair-cards", "Repair cards", "Replace every sick GPU with a sound one?", false),
          new Action(
              "stop-prometheus",
              "Stop Prometheus",
              "Stop the simulated Prometheus? The load is invisible until it is started again.",
              false),
          new Action(
              "start-prometheus",
              "Start Prometheus",
              "Start the simulated Prometheus again? What it missed stays a gap.",
              false));

  /** By then the morning's rise is over. */
  private static final Duration RISE_OVER = Duration.ofMinutes(165);

  /** Within the first minute of a demo at its usual speed. */
  private static final Duration FIRST_LOSS = Duration.ofMinutes(195);

  private final Simulation simulation;
  private final Instant begun;
  private final ArrayDeque<Event> newestFirst = new ArrayDeque<>();
  private boolean prometheusDown;

  Incidents(Simulation simulation) {
    this.simulation = simulation;
    this.begun = simulation.now();
  }

  List<Action> actions() {
    return ACTIONS;
  }

  List<Event> events() {
    return List.copyOf(newestFirst);
  }

  boolean isPrometheusDown() {
    return prometheusDown;
  }

  Outcome perform(String action, String workload) {
    if (!workload.isEmpty() && isOfNoWorkload(action)) {
      return new Outcome.Refused("%s takes no name, and %s is one.".formatted(action, workload));
    }
    return switch (action) {
      case "spike" -> spike(workload);
      case "lose-card" -> loseCard();
      case "wear-card" -> wearCard();
      case "repair-cards" -> repairCards();
      case "stop-prometheus" -> switchPrometheus(true);
      case "start-prometheus" -> switchPrometheus(false);
      default -> new Outcome.Refused("There is no action called %s.".formatted(action));
    };
  }

  private static boolean isOfNoWorkload(String action) {
    return ACTIONS.stream().anyMatch(it -> it.id().equals(action) && !it.ofWorkload());
  }

  /** What happens at this minute unprompted; in most nothing does. */
  Optional<Event> byItself() {
    var passed = Duration.between(begun, now());
    if (passed.equals(RISE_OVER)) {
      done(sinceBegun());
    } else if (!passed.equals(FIRST_LOSS) || !(loseCard() instanceof Outcome.Done)) {
      return Optional.empty();
    }
    return Optional.of(newestFirst.getFirst());
  }

  private String sinceBegun() {
    var ours = Duration.ZERO;
    var reactive = Duration.ZERO;
    for (var service : simulation.services()) {
      ours = ours.plus(service.shortage().total());
      reactive = reactive.plus(service.reactiveShortage().total());
    }
    return "The morning's rise is over: with Prescale, capacity fell short for %s in all; a reactive HPA would have let it fall short for %s."
        .formatted(DurationInWords.of(ours), DurationInWords.of(reactive));
  }

  /** Raises the load of a workload; of the first one if none is named. */
  private Outcome spike(String workload) {
    Optional<SimulatedService> service =
        simulation.services().stream()
            .filter(it -> workload.isEmpty() || it.workload().name().equals(workload))
            .findFirst();
    if (service.isEmpty()) {
      return new Outcome.Refused(
          "There is no workload %s; there are %s."
              .formatted(
                  workload,
                  simulation.services().stream()
                      .map(it -> it.workload().name())
                      .collect(Collectors.joining(", "))));
    }
    service.get().spike(SPIKE);
    return done("The load of %s nearly doubles.".formatted(service.get().workload().name()));
  }

  private Outcome loseCard() {
    var card = simulation.cluster().busiestCard();
    if (card.isEmpty()) {
      return new Outcome.Refused("No sound card has a pod on it.");
    }
    int pods = simulation.cluster().lose(card.get(), simulation.now()).size();
    return done(
        "%s falls off the bus (XID 79); %d %s."
            .formatted(card.get(), pods, pods == 1 ? "pod restarts" : "pods restart"));
  }

  private Outcome wearCard() {
    var card = simulation.cluster().busiestCardOfReplicas();
    if (card.isEmpty()) {
      return new Outcome.Refused("No sound card has a replica on it.");
    }
    simulation.cluster().wear(card.get());
    return done(
        "%s reports errors of its memory; after %s its replicas move to other cards."
            .formatted(card.get(), DurationInWords.of(MovedPods.SICK_AFTER)));
  }

  private Outcome repairCards() {
    int cards = simulation.cluster().repair();
    return cards == 0
        ? new Outcome.Refused("No card is sick.")
        : done("%d sick %s replaced.".formatted(cards, cards == 1 ? "card is" : "cards are"));
  }

  private Outcome switchPrometheus(boolean down) {
    if (prometheusDown == down) {
      return new Outcome.Refused(
          down ? "Prometheus is stopped already." : "Prometheus runs already.");
    }
    prometheusDown = down;
    return done(down ? "Prometheus is stopped." : "Prometheus runs again.");
  }

  private Outcome done(String text) {
    newestFirst.addFirst(new Event(now(), text));
    if (newestFirst.size() > REMEMBERED) {
      newestFirst.removeLast();
    }
    return new Outcome.Done(text);
  }

  private Instant now() {
    return simulation.now();
  }
}
