package io.prescale.controller.scheduler.reclaim;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import io.prescale.placement.notice.ReclaimRound;
import io.prescale.placement.notice.ReclaimStep;
import io.prescale.placement.notice.ReclaimView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Which pods could be asked to leave for those that wait, by the rounds that take them. */
public final class ReclaimPreview {
  /** Each round finds room for ten claims at most. */
  private static final int MOST_ROUNDS = 30;

  private ReclaimPreview() {}

  /**
   * A pod that could be asked to leave.
   *
   * @param pod its namespace and name
   * @param grace the notice that it would get
   */
  public record Leaving(String pod, Duration grace) {}

  /**
   * Whom each claim would take, as if none had its notice yet and every queue that gives advice
   * acted on it.
   *
   * @param pods of the cluster
   * @return by the key of the claim; those that would find no room are left out
   */
  public static Map<String, List<Leaving>> of(
      ReclaimFacts known, Stream<Pod> pods, Map<String, ReclaimPolicy> terms, Instant now) {
    var byUid = new HashMap<String, PodTerms>();
    pods.map(PodTerms::of).forEach(pod -> byUid.put(pod.uid(), pod));
    var acting = new HashMap<String, ReclaimPolicy>();
    terms.forEach(
        (queue, policy) ->
            acting.put(queue, new ReclaimPolicy(Mode.ACT, policy.grace(), policy.maxPerHour())));
    var held = Holders.of(known, byUid, acting, Owners::assumed, now);
    var holders = new HashMap<String, CardHolder>();
    held.byUid().forEach((uid, holder) -> holders.put(uid, holder.withNotice(Optional.empty())));
    var left = new HashMap<String, Integer>();
    acting.forEach((queue, policy) -> left.put(queue, policy.maxPerHour()));
    for (int round = 0; round < MOST_ROUNDS; round++) {
      // New claims are searched for in turn, by the second.
      var next = now.plusSeconds(round);
      var view = view(known, holders, held.minimum(), left);
      if (!notify(ReclaimRound.decide(view, next), holders)) {
        break;
      }
    }
    return holders.values().stream()
        .filter(holder -> holder.notice().isPresent())
        .collect(
            groupingBy(
                holder -> holder.notice().orElseThrow().claim(),
                mapping(holder -> leaving(holder, byUid), toList())));
  }

  private static Leaving leaving(CardHolder holder, Map<String, PodTerms> pods) {
    return new Leaving(Objects.requireNonNull(pods.get(holder.uid())).display(), holder.grace());
  }

  /** Records the notices that were decided; returns whether there were any. */
  private static boolean notify(ReclaimRound.Result decided, Map<String, CardHolder> holders) {
    boolean any = false;
    for (var step : decided.steps()) {
      if (step instanceof ReclaimStep.Notify(var uid, var notice)) {
        holders.computeIfPresent(uid, (_, holder) -> holder.withNotice(Optional.of(notice)));
        any = true;
      }
    }
    return any;
  }

  private static ReclaimView view(
      ReclaimFacts known,
      Map<String, CardHolder> holders,
      Map<String, Integer> minimum,
      Map<String, Integer> left) {
    return new ReclaimView(
        known.cluster(),
        known.tree(),
        known.capacity(),
        known.used(),
        known.demand(),
        holders,
        minimum,
        left,
        known.claimants(),
        List.of(),
        Set.of(),
        List.of(),
        Set.of(),
        Set.of());
  }
}
