package io.prescale.controller.scheduler.reclaim;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.placement.ledger.Booking;
import io.prescale.placement.ledger.KeptCards;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.ReclaimFacts;
import io.prescale.placement.ledger.ReclaimQuestion;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Notice;
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
import org.jspecify.annotations.Nullable;

/** What the rounds that take cards back would do with a cluster at one moment. */
public final class ReclaimPreview {
  /** Each round finds room for ten claims at most. */
  private static final int MOST_ROUNDS = 30;

  private final Map<String, PodTerms> pods;
  private final Map<String, ReclaimPolicy> terms;
  private final List<Booking> bookings;
  private final Instant now;

  /**
   * @param pods of the cluster
   * @param terms on which queues give cards back
   */
  public ReclaimPreview(
      Stream<Pod> pods, Map<String, ReclaimPolicy> terms, List<Booking> bookings, Instant now) {
    boolean isAnyConcerned = !terms.isEmpty() || !bookings.isEmpty();
    this.pods =
        pods.filter(_ -> isAnyConcerned)
            .map(PodTerms::of)
            .collect(toMap(PodTerms::uid, it -> it, (a, _) -> a));
    this.terms = terms;
    this.bookings = bookings;
    this.now = now;
  }

  /**
   * A pod that could be asked to leave.
   *
   * @param pod its namespace and name
   * @param grace the notice that it would get
   */
  public record Leaving(String pod, Duration grace) {}

  /** The cards that the next round keeps for bookings; the ledger records asks from now on. */
  public List<KeptCards> kept(Ledger ledger) {
    var noticed =
        pods.values().stream()
            .flatMap(pod -> pod.notice().stream())
            .map(Notice::claim)
            .collect(toSet());
    return known(ledger, noticed)
        .filter(_ -> !bookings.isEmpty())
        .map(
            known -> {
              var held = Holders.of(known, pods, terms, Owners::assumed, now);
              var view = view(known, held.byUid(), held.minimum(), left());
              var result = ReclaimRound.decide(view, now);
              return new Keeping().kept(result, Map.of(), view, bookings, now);
            })
        .orElse(List.of());
  }

  /**
   * Whom those that wait would have leave, as if none had its notice yet and every queue that gives
   * advice acted on it.
   *
   * @return by the UID of the pod that waits, for all of its gang or of its booking; those that
   *     would find no room are left out
   */
  public Map<String, List<Leaving>> asked(Ledger ledger) {
    return terms.isEmpty() ? Map.of() : known(ledger, Set.of()).map(this::asked).orElse(Map.of());
  }

  private Optional<ReclaimFacts> known(Ledger ledger, Set<String> noticed) {
    return ledger.reclaimFacts(new ReclaimQuestion(noticed, Map.of(), bookings, now));
  }

  private Map<String, List<Leaving>> asked(ReclaimFacts known) {
    var acting = new HashMap<String, ReclaimPolicy>();
    terms.forEach(
        (queue, policy) ->
            acting.put(queue, new ReclaimPolicy(Mode.ACT, policy.grace(), policy.maxPerHour())));
    var held = Holders.of(known, pods, acting, Owners::assumed, now);
    var holders = new HashMap<String, CardHolder>();
    held.byUid().forEach((uid, holder) -> holders.put(uid, holder.withNotice(Optional.empty())));
    for (int round = 0; round < MOST_ROUNDS; round++) {
      // New claims are searched for in turn, by the second.
      var next = now.plusSeconds(round);
      var view = view(known, holders, held.minimum(), left());
      if (!notify(ReclaimRound.decide(view, next), holders)) {
        break;
      }
    }
    var byClaim =
        holders.values().stream()
            .filter(holder -> holder.notice().isPresent())
            .collect(
                groupingBy(
                    holder -> holder.notice().orElseThrow().claim(),
                    mapping(this::leaving, toList())));
    var asked = new HashMap<String, List<Leaving>>();
    known.claimants().forEach(claim -> put(claim.pods(), byClaim.get(claim.key()), asked));
    known.expected().forEach(each -> put(each.claim().pods(), byClaim.get(each.notices()), asked));
    return asked;
  }

  private static void put(
      Set<String> uids, @Nullable List<Leaving> leaving, Map<String, List<Leaving>> asked) {
    if (leaving != null) {
      uids.forEach(uid -> asked.put(uid, leaving));
    }
  }

  private Map<String, Integer> left() {
    var left = new HashMap<String, Integer>();
    terms.forEach((queue, policy) -> left.put(queue, policy.maxPerHour()));
    return left;
  }

  private Leaving leaving(CardHolder holder) {
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
        known.expected(),
        Set.of(),
        List.of(),
        Set.of(),
        Set.of());
  }
}
