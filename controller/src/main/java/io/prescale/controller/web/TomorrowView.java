package io.prescale.controller.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.prescale.controller.schedules.ScheduledWindow;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Forecasts of the next 24 hours, made when they are asked for. Thread-safe. */
public interface TomorrowView {
  /**
   * The forecast of a workload; starts to make it when there is no recent one.
   *
   * @param metric whose demand is forecast; empty for the first of the PredictiveHPA
   */
  Tomorrow tomorrow(String workload, Optional<String> metric);

  /** Nothing can be forecast, for a reason. */
  static TomorrowView none(String reason) {
    return (_, _) -> new Tomorrow.Failed(reason);
  }

  /** What there is of a forecast. */
  sealed interface Tomorrow {
    /** Names the kind in the JSON. */
    @JsonProperty
    default String state() {
      return getClass().getSimpleName().toUpperCase(Locale.ROOT);
    }

    /** It is being made. */
    record Computing() implements Tomorrow {}

    /** It cannot be made; a sentence says why. */
    record Failed(String problem) implements Tomorrow {}

    /**
     * Mean demand in each step of the next 24 hours. The lists are as long as {@code time}.
     *
     * @param history what a history of the length that was read shows, in a sentence
     * @param metric whose demand this is
     * @param time seconds since the epoch, ascending
     * @param dayBefore what was observed 24 hours before each step; empty where it is unknown
     * @param capacityPerReplica demand that one ready replica carries
     * @param cardsPerReplica cards, or parts of cards, that a replica asks for; empty if unknown
     * @param events that are declared within the 24 hours
     * @param schedules windows of floors and ceilings within the 24 hours
     */
    record Forecast(
        Instant madeAt,
        String history,
        String metric,
        double capacityPerReplica,
        OptionalDouble cardsPerReplica,
        int minReplicas,
        int maxReplicas,
        List<Long> time,
        List<OptionalDouble> dayBefore,
        List<Double> p50,
        List<Double> p90,
        List<Double> p95,
        List<DeclaredEvent> events,
        List<ScheduledWindow> schedules)
        implements Tomorrow {}
  }

  /**
   * A declared event.
   *
   * @param factor of the usual demand; empty when the event is only kept out of what is learned
   */
  record DeclaredEvent(String name, Instant start, Instant end, OptionalDouble factor) {}
}
