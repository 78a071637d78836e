package io.prescale.controller.values;

import com.fasterxml.jackson.core.type.TypeReference;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The form of the ConfigMaps: the values of each PredictiveHPA as JSON, by its UID. The UID also
 * says which of the pages it is on, so that pages stay small and one write has many values.
 */
record ValuePages(KubernetesSerialization json) {
  /** With 300 bytes a PredictiveHPA, 32 pages of at most 1 MiB have room for 100,000. */
  static final int COUNT = 32;

  /** By which the pages are watched. */
  static final Map<String, String> LABELS = Map.of("autoscaling.prescale.io/values", "page");

  private static final Logger LOG = LoggerFactory.getLogger(ValuePages.class);

  private static final int POSITIONS = 10_007;

  /** See {@link ValuePublisher#position}. */
  static double position(String uid) {
    return Math.floorMod(uid.hashCode(), POSITIONS) / (double) POSITIONS;
  }

  /** The first position of a page. */
  static double position(int page) {
    return page / (double) COUNT;
  }

  /** The page of a PredictiveHPA, from 0. */
  static int of(String uid) {
    return (int) (position(uid) * COUNT);
  }

  static String name(int page) {
    return "prescale-values-%02d".formatted(page);
  }

  /** The values by UID that may be served; what cannot be read is left out and logged. */
  Map<String, List<PublishedValue>> read(ConfigMap page, Instant now) {
    var all = new HashMap<String, List<PublishedValue>>();
    data(page)
        .forEach((uid, text) -> values(page, uid, text, now).ifPresent(it -> all.put(uid, it)));
    return all;
  }

  static Map<String, String> data(ConfigMap page) {
    return Objects.requireNonNullElse(page.getData(), Map.of());
  }

  /**
   * Those of one PredictiveHPA that may be served; empty if there is none, if they cannot be read,
   * or belong on another page.
   */
  Optional<List<PublishedValue>> values(ConfigMap page, String uid, String text, Instant now) {
    if (!name(of(uid)).equals(page.getMetadata().getName())) {
      return Optional.empty();
    }
    try {
      var values = json.unmarshal(text, new TypeReference<List<PublishedValue>>() {});
      return Optional.of(values.stream().filter(it -> it.mayBeServed(now)).toList())
          .filter(it -> !it.isEmpty());
    } catch (KubernetesClientException | IllegalArgumentException | NullPointerException e) {
      LOG.warn(
          "ConfigMap {}: the values of the PredictiveHPA with UID {} cannot be read: {}",
          page.getMetadata().getName(),
          uid,
          e.getMessage());
      return Optional.empty();
    }
  }

  String text(List<PublishedValue> values) {
    return json.asJson(values);
  }
}
