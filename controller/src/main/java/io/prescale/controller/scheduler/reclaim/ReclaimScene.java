package io.prescale.controller.scheduler.reclaim;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Claimant;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * What a round of taking back has seen.
 *
 * @param held what pods of these UIDs ask for
 * @param ownership what is suspended with a pod
 * @param isAnswering whether this replica still decides; another one does not know its writes
 * @param receiver the queue for which is being taken; empty if its claim is gone
 */
record ReclaimScene(
    Map<String, CardHolder> holders,
    Map<String, Claimant> claims,
    Function<Set<String>, List<PodFacts>> held,
    Function<PodTerms, Ownership> ownership,
    BooleanSupplier isAnswering,
    Instant now,
    Optional<String> receiver) {
  ReclaimScene(
      Map<String, CardHolder> holders,
      Map<String, Claimant> claims,
      Function<Set<String>, List<PodFacts>> held,
      Function<PodTerms, Ownership> ownership,
      BooleanSupplier isAnswering,
      Instant now) {
    this(holders, claims, held, ownership, isAnswering, now, Optional.empty());
  }

  /** Of a cluster in which nothing is to be taken. */
  static ReclaimScene empty(
      Function<PodTerms, Ownership> ownership, BooleanSupplier isAnswering, Instant now) {
    return new ReclaimScene(Map.of(), Map.of(), _ -> List.of(), ownership, isAnswering, now);
  }

  CardHolder holder(String uid) {
    return Objects.requireNonNull(holders.get(uid));
  }

  /** The same while cards are taken for a claim. */
  ReclaimScene takingFor(String claim) {
    var receiver = Optional.ofNullable(claims.get(claim)).map(Claimant::queue);
    return new ReclaimScene(holders, claims, held, ownership, isAnswering, now, receiver);
  }
}
