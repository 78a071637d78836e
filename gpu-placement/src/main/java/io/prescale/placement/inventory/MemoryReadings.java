package io.prescale.placement.inventory;

import io.prescale.placement.inventory.ExporterReadings.Series;
import io.prescale.placement.overcommit.MemoryUsage;
import io.prescale.placement.overcommit.ObservedMemory;
import io.prescale.placement.overcommit.ObservedMemory.Observation;
import io.prescale.placement.overcommit.ObservedMemory.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the memory in use from HAMi's monitor, pod by pod (its names before and since 2.10), and
 * from dcgm-exporter, card by card. A pod counts with its containers' means and deviations added
 * up; the deviation of a sum is no larger, whatever the dependence.
 */
public final class MemoryReadings {
  private static final String USED =
      "{__name__=~\"hami_vgpu_memory_used_bytes|vGPU_device_memory_usage_in_bytes\"}";
  private static final String LIMIT =
      "{__name__=~\"hami_vgpu_memory_limit_bytes|vGPU_device_memory_limit_in_bytes\"}";
  private static final String CARD = "DCGM_FI_DEV_FB_USED{GPU_I_ID=\"\"}";
  private static final String LABELS =
      "namespace, pod, exported_namespace, exported_pod, podnamespace, podname, device_uuid,"
          + " deviceuuid, UUID";
  private static final int MIB = 1 << 20;

  private MemoryReadings() {}

  /** The queries for one window. */
  public record Queries(String mean, String deviation, String limit) {
    /** Those whose series were there when the window began, and often enough since. */
    public static Queries over(Duration window) {
      var seconds = window.toSeconds() + "s";
      return new Queries(
          statistic("avg_over_time", seconds),
          statistic("stddev_over_time", seconds),
          "sum by (%s) (%s) / %d".formatted(LABELS, LIMIT, MIB));
    }

    private static String statistic(String function, String window) {
      return "sum by (%1$s) (%2$s) / %4$d or max by (%1$s) (%3$s)"
          .formatted(LABELS, lasting(function, USED, window), lasting(function, CARD, window), MIB);
    }

    private static String lasting(String function, String metric, String window) {
      return "%1$s(%2$s[%3$s]) and %2$s offset %3$s and (count_over_time(%2$s[%3$s]) >= %4$d)"
          .formatted(function, metric, window, MemoryUsage.FEWEST_SAMPLES);
    }
  }

  /**
   * What the answers to the queries say; never fails. A share without mean, deviation or limit was
   * not observed, nor was a card without the first two.
   */
  public static ObservedMemory read(
      Instant since, List<Series> means, List<Series> deviations, List<Series> limits) {
    var mean = byShare(means);
    var deviation = byShare(deviations);
    var limit = byShare(limits);
    var shares = new HashMap<Share, Observation>();
    var cards = new HashMap<String, Observation>();
    mean.forEach(
        (share, average) -> {
          var spread = deviation.get(share);
          var most = limit.get(share);
          if (spread != null && share.pod().isEmpty()) {
            cards.put(share.card(), new Observation(average, spread, Optional.empty()));
          } else if (spread != null && most != null) {
            shares.put(
                share, new Observation(average, spread, Optional.of((int) Math.round(most))));
          }
        });
    return new ObservedMemory(since, shares, cards);
  }

  /** By pod and card; of a monitor that uses both names of a metric, the greater value. */
  private static Map<Share, Double> byShare(List<Series> all) {
    var values = new HashMap<Share, Double>();
    for (var series : all) {
      var card = first(series, "device_uuid", "deviceuuid", "UUID");
      if (!card.isEmpty() && series.value() >= 0 && series.value() <= Integer.MAX_VALUE) {
        values.merge(share(series, card), series.value(), Math::max);
      }
    }
    return values;
  }

  /** What is measured of a card as a whole is of no pod, though dcgm-exporter may name one. */
  private static Share share(Series series, String card) {
    return series.label("UUID").isEmpty()
        ? new Share(
            first(series, "exported_namespace", "podnamespace", "namespace"),
            first(series, "exported_pod", "podname", "pod"),
            card)
        : new Share("", "", card);
  }

  private static String first(Series series, String... labels) {
    return Stream.of(labels)
        .map(series::label)
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse("");
  }
}
