package io.prescale.controller.operator.scalein;

import io.prescale.controller.demand.prometheus.RangeAnswer.Latest;
import io.prescale.controller.demand.source.MetricSource.LatestReading;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** What is known of the work that pods have in flight. */
public sealed interface Work {
  /** It was not asked for. */
  record NotAsked() implements Work {}

  /** It is unknown, and why: a sentence for the user. */
  record Unknown(String why) implements Work {}

  /** By the name of the pod; a pod that is missing here has an unknown amount. */
  record Known(Map<String, Double> byPod) implements Work {
    public Known {
      byPod = Map.copyOf(byPod);
    }

    OptionalDouble of(String pod) {
      var work = byPod.get(pod);
      return work == null ? OptionalDouble.empty() : OptionalDouble.of(work);
    }
  }

  /** What a query has found: the series of a pod are added up; with a NaN, its work is unknown. */
  public static Work of(LatestReading reading) {
    return switch (reading) {
      case LatestReading.NotFound(var missing) -> new Unknown(missing.message());
      case LatestReading.Found(var series) -> of(series);
    };
  }

  private static Work of(List<Latest> series) {
    var byPod = new HashMap<String, Double>();
    var noNumbers = new HashSet<String>();
    for (Latest each : series) {
      var pod = each.labels().values().getOrDefault("pod", "");
      if (pod.isEmpty()) {
        continue;
      }
      if (Double.isFinite(each.value()) && each.value() >= 0) {
        byPod.merge(pod, each.value(), Double::sum);
      } else {
        noNumbers.add(pod);
      }
    }
    byPod.keySet().removeAll(noNumbers);
    if (!byPod.isEmpty()) {
      return new Known(byPod);
    }
    return new Unknown(
        series.isEmpty()
            ? "The query for the work of each pod finds nothing; look at it in Prometheus' own"
                + " graph."
            : "The query for the work of each pod finds no number with the label pod; write one"
                + " such as sum by (pod) (requests_in_flight).");
  }
}
