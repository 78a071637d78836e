package io.prescale.controller.operator;

import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.forecasting.TimeSeries;
import io.prescale.forecasting.relatives.Relative;
import io.prescale.forecasting.relatives.Relatives;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The normalised demand of the targets that have a week's history, for new targets of the same
 * namespace: no tenant learns anything of another's, but for a namespace that is deleted and made
 * anew under its name. In memory only. A target that is gone is lent for another week, so that what
 * replaces it learns from it. Thread-safe.
 */
final class Lenders {
  /** Steps of all weeks together: 200 weeks of minutes, 9 MiB. */
  static final int MOST_STEPS = 200 * 7 * 24 * 60;

  /** Names the PredictiveHPA of the same namespace that one replaces. */
  static final String PREDECESSOR = "prescale.io/predecessor";

  /** Versions of one service share its value, and differ in {@link #VERSION}. */
  static final String APP = "app.kubernetes.io/name";

  static final String VERSION = "app.kubernetes.io/version";

  /** Targets learn every few hours: one that has not learned for this time is gone. */
  private static final Duration KEPT = Duration.ofDays(7);

  /** By UID, the one learned longest ago first. */
  private final Map<String, Member> members = new LinkedHashMap<>();

  private volatile Map<String, List<Member>> byNamespace = Map.of();

  /**
   * What tells targets apart.
   *
   * @param app value of the label {@link #APP}
   * @param version value of the label {@link #VERSION}
   * @param created RFC 3339 in UTC, which sorts by time
   */
  private record Identity(
      String namespace,
      String name,
      String uid,
      Optional<String> app,
      Optional<String> version,
      String created) {
    static Identity of(PredictiveHPA resource) {
      var meta = resource.getMetadata();
      return new Identity(
          meta.getNamespace(),
          meta.getName(),
          meta.getUid(),
          Optional.ofNullable(meta.getLabels()).map(it -> it.get(APP)),
          Optional.ofNullable(meta.getLabels()).map(it -> it.get(VERSION)),
          Objects.requireNonNullElse(meta.getCreationTimestamp(), ""));
    }

    /** Services that share a name alone, such as that of their model server, are none. */
    boolean isAnotherVersionOf(Identity other) {
      return app.isPresent()
          && app.equals(other.app)
          && version.isPresent()
          && other.version.isPresent()
          && !version.equals(other.version);
    }
  }

  private record Member(Identity identity, Instant learned, List<Relative> metrics) {
    String namespace() {
      return identity.namespace();
    }

    int steps() {
      return metrics.stream().mapToInt(Relative::steps).sum();
    }
  }

  /**
   * Remembers a target's newest week, in place of an earlier one; less than a week replaces none.
   * O(steps).
   *
   * @param histories of its metrics, without what events and incidents made of them
   */
  void learned(PredictiveHPA resource, Stream<TimeSeries> histories, Instant now) {
    var identity = Identity.of(resource);
    var uid = identity.uid();
    var metrics = histories.flatMap(it -> Relative.of(it).stream()).toList();
    synchronized (members) {
      // A history of exactly a week is shorter for a while after it has dropped steps.
      if (!metrics.isEmpty()) {
        members.remove(uid);
        members.put(uid, new Member(identity, now, metrics));
      }
      dropThoseGone(now);
      while (members.values().stream().mapToInt(Member::steps).sum() > MOST_STEPS) {
        dropOneOfTheLargestNamespace();
      }
      regroup();
    }
  }

  private void dropThoseGone(Instant now) {
    members.values().removeIf(it -> it.learned().plus(KEPT).isBefore(now));
  }

  /** So that no namespace keeps the others from lending. The target learned longest ago goes. */
  private void dropOneOfTheLargestNamespace() {
    var steps = new HashMap<String, Integer>();
    members.values().forEach(it -> steps.merge(it.namespace(), it.steps(), Integer::sum));
    var largest = Collections.max(steps.entrySet(), Map.Entry.comparingByValue()).getKey();
    members.values().stream()
        .filter(it -> it.namespace().equals(largest))
        .findFirst()
        .ifPresent(it -> members.values().remove(it));
  }

  /** Forgets the targets whose UID is one of these. */
  void forgetWhere(Predicate<String> uids) {
    synchronized (members) {
      if (members.keySet().removeIf(uids)) {
        regroup();
      }
    }
  }

  private void regroup() {
    byNamespace = members.values().stream().collect(Collectors.groupingBy(Member::namespace));
  }

  /**
   * Those of a target's namespace at each moment. Its predecessor is the one that its annotation
   * names; without it, one of its own name that is gone; else the newest of another version.
   *
   * @param now those that are gone for longer than a week are forgotten
   */
  Supplier<Relatives> of(PredictiveHPA resource, Instant now) {
    synchronized (members) {
      dropThoseGone(now);
      regroup();
    }
    var identity = Identity.of(resource);
    var named =
        Optional.ofNullable(resource.getMetadata().getAnnotations()).map(it -> it.get(PREDECESSOR));
    return () -> {
      var all = byNamespace.getOrDefault(identity.namespace(), List.of());
      return new Relatives(
          all.stream().flatMap(it -> it.metrics().stream()).toList(),
          predecessors(all, identity, named).stream()
              .flatMap(it -> it.metrics().stream())
              .toList());
    };
  }

  private static List<Member> predecessors(
      List<Member> all, Identity identity, Optional<String> named) {
    var others = all.stream().filter(it -> !it.identity().uid().equals(identity.uid())).toList();
    var ofTheName =
        others.stream()
            .filter(it -> it.identity().name().equals(named.orElse(identity.name())))
            .toList();
    return named.isPresent() || !ofTheName.isEmpty()
        ? ofTheName
        : others.stream()
            .filter(it -> it.identity().isAnotherVersionOf(identity))
            .max(Comparator.comparing(it -> it.identity().created()))
            .stream()
            .toList();
  }
}
