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
import java.util.stream.Stream;

/**
 * Reads the memory in use from HAMi's monitor, pod by pod (its names before and since 2.10). A pod
 * counts with its containers' means and deviations added up; the deviation of a sum is no larger,
 * whatever the dependence. What dcgm-exporter says of a card is not read: whose memory it is, and
 * since when, cannot be known from it.
 */
public final class MemoryReadings {
  private static final String USED =
      "hami_vgpu_memory_used_bytes|vGPU_device_memory_usage_in_bytes";
  private static final String LIMIT =
      "hami_vgpu_memory_limit_bytes|vGPU_device_memory_limit_in_bytes";
  private static final String LABELS =
      "namespace, pod, exported_namespace, exported_pod, podnamespace, podname, device_uuid,"
          + " deviceuuid";
  private static final int MIB = 1 << 20;

  /** The parts of the window, in each of which there has to be a sample. */
  private static final int PARTS = 24;

  private MemoryReadings() {}

  /** The queries for one window. */
  public record Queries(String mean, String deviation, String limit) {
    /**
     * Those of containers whose series were there when the window began, now, and all the time
     * between. A pod with another container is not observed: the limits do not add up to its own.
     *
     * @param monitor which series are its own
     */
    public static Queries over(Duration window, SeriesMatchers monitor) {
      var used = monitor.named(USED);
      var range = "%s[%ds]".formatted(used, window.toSeconds());
      return new Queries(
          lasting("avg_over_time(%s)".formatted(range), used, window),
          lasting("stddev_over_time(%s)".formatted(range), used, window),
          lasting(monitor.named(LIMIT), used, window));
    }

    private static String lasting(String value, String used, Duration window) {
      long all = window.toSeconds();
      long part = all / PARTS;
      return "sum by (%s) (%s and %s and %s offset %ds and (count_over_time(%s[%ds]) >= %d)"
              .formatted(LABELS, value, used, used, all, used, all, MemoryUsage.FEWEST_SAMPLES)
          + " and (count_over_time((count_over_time(%s[%ds]))[%ds:%ds]) >= %d)) / %d"
              .formatted(used, part, all, part, PARTS, MIB);
    }
  }

  /**
   * What the answers to the queries say; never fails. A share without mean, deviation or limit was
   * not observed.
   */
  public static ObservedMemory read(
      Instant since, List<Series> means, List<Series> deviations, List<Series> limits) {
    var deviation = byShare(deviations);
    var limit = byShare(limits);
    var shares = new HashMap<Share, Observation>();
    byShare(means)
        .forEach(
            (share, mean) -> {
              var spread = deviation.get(share);
              var most = limit.get(share);
              if (spread != null && most != null) {
                shares.put(share, new Observation(mean, spread, (int) Math.round(most)));
              }
            });
    return new ObservedMemory(since, shares);
  }

  /** By pod and card; of a monitor that uses both names of a metric, the greater value. */
  private static Map<Share, Double> byShare(List<Series> all) {
    var values = new HashMap<Share, Double>();
    for (var series : all) {
      var share =
          new Share(
              first(series, "exported_namespace", "podnamespace", "namespace"),
              first(series, "exported_pod", "podname", "pod"),
              first(series, "device_uuid", "deviceuuid"));
      if (series.value() >= 0 && series.value() <= Integer.MAX_VALUE) {
        values.merge(share, series.value(), Math::max);
      }
    }
    return values;
  }

  private static String first(Series series, String... labels) {
    return Stream.of(labels)
        .map(series::label)
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse("");
  }
}
