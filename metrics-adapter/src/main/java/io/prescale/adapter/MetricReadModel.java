package io.prescale.adapter;

import io.prescale.adapter.LabelRequirement.Operator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values that the API serves, by metric and by the source that publishes them. A label whose
 * value is the name of a source is that source's alone.
 *
 * <p>Thread-safe; reads take no lock. A value is fresh, then last-known-good, then unknown; it is
 * never replaced by 0 and never left out of a sum: one unknown value makes the whole answer
 * unknown.
 */
public final class MetricReadModel {
  /** What one source has published: a value, the reason why there is no newer one, or both. */
  private record Entry(
      SortedMap<String, String> labels, @Nullable ServedMetric metric, @Nullable String refusal) {}

  private final ConcurrentHashMap<MetricKey, SortedMap<String, Entry>> entries =
      new ConcurrentHashMap<>();

  /**
   * Publishes a value, replacing what {@code source} published before.
   *
   * @param source the name of the PredictiveHPA that computes the value
   */
  public void publish(MetricKey key, String source, ServedMetric metric) {
    change(key, sources -> sources.put(source, new Entry(metric.labels(), metric, null)));
  }

  /**
   * Records why {@code source} has no new value. An earlier one stands in until its TTL ends; to
   * refuse at once, {@link #withdraw} it first.
   *
   * @param labels labels for selectors to match if there is no earlier value
   * @param reason a sentence for the client
   */
  public void refuse(
      MetricKey key, String source, SortedMap<String, String> labels, String reason) {
    var copy = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    change(
        key,
        sources -> {
          var earlier = sources.get(source);
          var metric = earlier == null ? null : earlier.metric();
          sources.put(source, new Entry(metric == null ? copy : metric.labels(), metric, reason));
        });
  }

  /** Removes what {@code source} published; a metric without sources does not exist. */
  public void withdraw(MetricKey key, String source) {
    change(key, sources -> sources.remove(source));
  }

  /** Every metric with a source, in no particular order. */
  public List<MetricKey> keys() {
    return List.copyOf(entries.keySet());
  }

  /**
   * Returns the selected values of a metric as of {@code now}; O(number of its sources), unless the
   * selector names the source as an HPA's does.
   */
  public Answer read(MetricKey key, LabelSelector selector, Instant now) {
    var sources = entries.get(key);
    if (sources == null) {
      return new Answer.Absent(
          "no PredictiveHPA in namespace \"%s\" serves the external metric \"%s\""
              .formatted(key.namespace(), key.name()));
    }
    var selected =
        candidates(sources, selector)
            .filter(source -> selector.matches(source.getValue().labels()))
            .toList();
    if (selected.isEmpty()) {
      return new Answer.Absent(
          "the external metric \"%s\" in namespace \"%s\" has no value that matches \"%s\""
              .formatted(key.name(), key.namespace(), selector));
    }
    return answer(key, selected, now);
  }

  /** All sources, or the one that the selector names by a label of its own. */
  private static Stream<Map.Entry<String, Entry>> candidates(
      SortedMap<String, Entry> sources, LabelSelector selector) {
    for (var it : selector.requirements()) {
      var name = it.operator() == Operator.EQUALS ? it.values().getFirst() : "";
      var source = sources.get(name);
      if (source != null && name.equals(source.labels().get(it.key()))) {
        return Stream.of(Map.entry(name, source));
      }
    }
    return sources.entrySet().stream();
  }

  private static Answer answer(
      MetricKey key, List<Map.Entry<String, Entry>> selected, Instant now) {
    var items = new ArrayList<Answer.Item>(selected.size());
    var oldest = Duration.ZERO;
    var allFresh = true;
    for (var source : selected) {
      var metric = source.getValue().metric();
      var unknown = whyUnknown(source.getValue(), now);
      if (metric == null || unknown != null) {
        return new Answer.Unknown(
            "the value of %s from %s is unknown: %s".formatted(key, source.getKey(), unknown));
      }
      var age = Duration.between(metric.timestamp(), now);
      var fresh = age.compareTo(metric.freshFor()) <= 0;
      allFresh &= fresh;
      oldest = age.compareTo(oldest) > 0 ? age : oldest;
      items.add(
          new Answer.Item(
              metric.labels(),
              fresh ? metric.freshMilli() : metric.lastKnownGoodMilli(now),
              metric.timestamp(),
              metric.windowSeconds()));
    }
    return allFresh ? new Answer.Fresh(items) : new Answer.LastKnownGood(items, oldest);
  }

  private static @Nullable String whyUnknown(Entry entry, Instant now) {
    var metric = entry.metric();
    if (metric == null) {
      return entry.refusal();
    }
    var age = Duration.between(metric.timestamp(), now);
    if (age.negated().compareTo(metric.ttl()) > 0) {
      return "it was computed %d s from now; the clocks of the replicas disagree"
          .formatted(age.negated().toSeconds());
    }
    if (age.compareTo(metric.ttl()) <= 0) {
      return null;
    }
    return "the last one is %s old and may stand in for %s%s"
        .formatted(
            inWords(age),
            inWords(metric.ttl()),
            entry.refusal() == null ? "" : "; " + entry.refusal());
  }

  private static String inWords(Duration duration) {
    return duration.toHours() == 0
        ? duration.toSeconds() + " s"
        : "%d h %d min".formatted(duration.toHours(), duration.toMinutesPart());
  }

  private void change(MetricKey key, Consumer<SortedMap<String, Entry>> edit) {
    entries.compute(
        key,
        (_, known) -> {
          var sources = known == null ? new ConcurrentSkipListMap<String, Entry>() : known;
          edit.accept(sources);
          return sources.isEmpty() ? null : sources;
        });
  }
}
