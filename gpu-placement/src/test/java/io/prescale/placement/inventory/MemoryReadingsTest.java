package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.ExporterReadings.Series;
import io.prescale.placement.inventory.MemoryReadings.Queries;
import io.prescale.placement.overcommit.ObservedMemory.Observation;
import io.prescale.placement.overcommit.ObservedMemory.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryReadingsTest {
  private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00Z");
  private static final Map<String, String> POD =
      Map.of("namespace", "team", "pod", "a", "device_uuid", "GPU-1");

  private static List<Series> one(Map<String, String> labels, double value) {
    return List.of(new Series(labels, value));
  }

  @Test
  void everySelectorHasTheMatchersOfTheMonitor() {
    var queries = Queries.over(Duration.ofHours(2), new SeriesMatchers("job=\"100% hami\""));

    for (var query : List.of(queries.mean(), queries.deviation(), queries.limit())) {
      assertThat(query.split("__name__=~\"[^\"]+\",job=\"100% hami\"}", -1)).hasSize(6);
      assertThat(query.split("__name__=~", -1)).hasSize(6);
    }
  }

  @Test
  void readsPodsByBothNamings() {
    var scraped =
        Map.of(
            "exported_namespace", "team",
            "exported_pod", "b",
            "namespace", "kube-system",
            "pod", "hami-monitor",
            "device_uuid", "GPU-1");
    var before = Map.of("podnamespace", "team", "podname", "c", "deviceuuid", "GPU-2");
    var means = List.of(new Series(POD, 100), new Series(scraped, 200), new Series(before, 300));
    var deviations = List.of(new Series(POD, 1), new Series(scraped, 2), new Series(before, 3));
    var limits =
        List.of(new Series(POD, 1000), new Series(scraped, 2000), new Series(before, 3000.4));

    assertThat(MemoryReadings.read(SINCE, means, deviations, limits).shares())
        .isEqualTo(
            Map.of(
                new Share("team", "a", "GPU-1"), new Observation(100, 1, 1000),
                new Share("team", "b", "GPU-1"), new Observation(200, 2, 2000),
                new Share("team", "c", "GPU-2"), new Observation(300, 3, 3000)));
  }

  @Test
  void whatIsIncompleteOrMakesNoSenseWasNotObserved() {
    for (var value : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY, 1e300}) {
      assertThat(MemoryReadings.read(SINCE, one(POD, value), one(POD, 1), one(POD, 1)).shares())
          .as("a mean of %s", value)
          .isEmpty();
    }
    assertThat(MemoryReadings.read(SINCE, one(POD, 1), List.of(), one(POD, 1)).shares()).isEmpty();
    assertThat(MemoryReadings.read(SINCE, one(POD, 1), one(POD, 1), List.of()).shares()).isEmpty();
  }
}
