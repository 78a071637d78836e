package io.prescale.controller.scheduler.moves;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.ledger.KeptCards;
import io.prescale.placement.ledger.MoveFacts;
import io.prescale.placement.moves.KeptPlace;
import io.prescale.placement.moves.WantingPod;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What a ledger and the rounds of moves take from each other. */
public final class LedgerMoves {
  private LedgerMoves() {}

  /** The pods without room, as a round takes them from the ledger. */
  public static List<WantingPod> wanted(MoveFacts facts) {
    return facts.wanting().stream().map(LedgerMoves::wanted).toList();
  }

  private static WantingPod wanted(MoveFacts.Wanting wanting) {
    var pod = wanting.pod();
    var request = new GpuRequest(pod.uid(), wanting.shape(), Standing.preemptible(pod.priority()));
    return new WantingPod(request, wanting.nodes(), pod.created());
  }

  /**
   * The cards that a round keeps, as the ledger takes them; not those for kin that is not known.
   *
   * @param selectors the pods of a kin, which replace each other
   */
  public static List<KeptCards> kept(
      List<KeptPlace> places, Function<String, Optional<PodSelector>> selectors) {
    return places.stream().flatMap(place -> kept(place, selectors).stream()).toList();
  }

  private static Optional<KeptCards> kept(
      KeptPlace place, Function<String, Optional<PodSelector>> selectors) {
    if (place.kin().isEmpty()) {
      var wanted = place.wanted().map(Set::of).orElse(Set.of());
      return Optional.of(new KeptCards(wanted, place.uuids()));
    }
    return selectors.apply(place.kin().get()).map(pods -> KeptCards.place(pods, place.uuids()));
  }
}
