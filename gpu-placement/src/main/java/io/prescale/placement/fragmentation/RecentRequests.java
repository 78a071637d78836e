package io.prescale.placement.fragmentation;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.RequestShape;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the pods of a cluster have asked for in the last week: of each kind of request, how many
 * pods had or awaited its cards on average. What is a week ago counts e times less than what is
 * now. At first only that is known which is there. Not thread-safe.
 */
public final class RecentRequests {
  /** Of fewer pods, the shares of kinds are chance. */
  private static final int LEAST_PODS = 30;

  /** Each costs time for every node. */
  private static final int MOST_KINDS = 16;

  private static final double WEEK_SECONDS = Duration.ofDays(7).toSeconds();

  /** The least time between two observations, each of which reads all pods. */
  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** So long counts what is there now, besides the time for which it was observed. */
  private static final double NOW_SECONDS = 60;

  /** Tenants may make up kinds; the rarest are forgotten. */
  private static final int MOST_REMEMBERED = 256;

  private static final Comparator<Map.Entry<RequestShape, Double>> MOST_FREQUENT_FIRST =
      Map.Entry.<RequestShape, Double>comparingByValue(Comparator.reverseOrder())
          .thenComparing(it -> inFull(it.getKey()));

  private static final double MILLIS = 1000;
  private static final int ALL = 1000;

  private final Map<RequestShape, Double> podSeconds = new HashMap<>();
  private double seconds;
  private Map<RequestShape, Long> present = Map.of();
  private @Nullable Instant last;
  private Optional<TargetWorkload> workload = Optional.empty();

  /** Whether the last observation was long enough ago for another one. */
  public boolean isDue(Instant now) {
    return last == null || !now.isBefore(last.plus(PAUSE));
  }

  /** Observes what pods have, or wait for; it counts until the next time. */
  public void observe(Stream<RequestShape> shapes, Instant now) {
    if (last != null) {
      pass(Math.max(0, Duration.between(last, now).toMillis() / MILLIS));
    }
    last = now;
    present = shapes.collect(groupingBy(RecentRequests::kind, counting()));
    workload = mostFrequent();
  }

  private void pass(double passed) {
    double faded = Math.exp(-passed / WEEK_SECONDS);
    double added = WEEK_SECONDS * (1 - faded);
    podSeconds.replaceAll((_, sum) -> sum * faded);
    present.forEach((kind, pods) -> podSeconds.merge(kind, pods * added, Double::sum));
    seconds = seconds * faded + added;
    podSeconds.values().removeIf(sum -> sum < seconds / ALL);
    if (podSeconds.size() > MOST_REMEMBERED) {
      var kept = podSeconds.entrySet().stream().sorted(MOST_FREQUENT_FIRST).limit(MOST_REMEMBERED);
      podSeconds.keySet().retainAll(kept.map(Map.Entry::getKey).collect(toSet()));
    }
  }

  /** Cards of which vendor and which ones does not count, as little as their links. */
  private static RequestShape kind(RequestShape shape) {
    var cards = shape.cards();
    return RequestShape.of(shape.gpus(), shape.demand())
        .withCards(
            new CardSelector(
                Set.of(), cards.models(), cards.excludedModels(), Set.of(), Set.of(), Set.of()));
  }

  /** Two kinds never have the same. */
  private static String inFull(RequestShape kind) {
    var cards = kind.cards();
    return "%s %s %s"
        .formatted(kind, new TreeSet<>(cards.models()), new TreeSet<>(cards.excludedModels()));
  }

  /** The most frequent kinds, with shares in thousandths; empty if too few pods are known. */
  public Optional<TargetWorkload> workload() {
    return workload;
  }

  private Optional<TargetWorkload> mostFrequent() {
    var sums = new HashMap<>(podSeconds);
    present.forEach((kind, pods) -> sums.merge(kind, pods * NOW_SECONDS, Double::sum));
    double all = sums.values().stream().mapToDouble(Double::doubleValue).sum();
    if (all < LEAST_PODS * (seconds + NOW_SECONDS)) {
      return Optional.empty();
    }
    var shares = new LinkedHashMap<RequestShape, Integer>();
    sums.entrySet().stream()
        .sorted(MOST_FREQUENT_FIRST)
        .limit(MOST_KINDS)
        .forEach(
            it ->
                shares.put(
                    it.getKey(),
                    Math.max(1, Math.toIntExact(Math.round(ALL * it.getValue() / all)))));
    return Optional.of(TargetWorkload.mostFrequent(shares));
  }
}
