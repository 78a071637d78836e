package io.prescale.placement.claims;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.prescale.placement.claims.Claim.Pin;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.ledger.UsualWorkload;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Chooses the cards that a pod's claim is pinned to. Not thread-safe. */
final class PinChoice {
  private static final int LONGEST_BASE = 50;

  private final CardStock stock;
  private final Placer placer;

  /** Nodes on which kube-scheduler left a pod unscheduled, by the pod's UID. */
  private final Map<String, Set<String>> tried = new HashMap<>();

  PinChoice(CardStock stock) {
    this.stock = stock;
    placer = UsualWorkload.placer();
  }

  /** The cards, or why there are none. */
  sealed interface Result {}

  /** The write that makes the pinned claim, and what the claim will hold. */
  record Chosen(Step.Pinned step, Placement placement) implements Result {}

  /**
   * No node has room.
   *
   * @param isRefused whether some have, and kube-scheduler has left the pod unscheduled there
   */
  record NoRoom(String sentence, boolean isRefused) implements Result {}

  /** Avoids a node for a pod from now on. */
  void avoid(String pod, String node) {
    tried.computeIfAbsent(pod, _ -> new HashSet<>()).add(node);
  }

  /** Forgets the nodes to avoid for a pod. */
  void forget(String pod) {
    tried.remove(pod);
  }

  /**
   * Chooses cards.
   *
   * @param like the claim whose request the pinned one takes over
   * @param in the cluster with what others are to have
   */
  Result choose(ClaimPod pod, Claim like, ClaimDemand.Cards demand, ClusterSnapshot in) {
    var cluster =
        stock.tolerant(in, like.request().map(Claim.Request::tolerations).orElse(List.of()));
    var avoided = tried.getOrDefault(pod.uid(), Set.of());
    int[] nodes =
        IntStream.range(0, cluster.size())
            .filter(index -> !avoided.contains(cluster.node(index).name()))
            .toArray();
    var name = pinnedName(pod, like.key());
    var request =
        new GpuRequest(name.toString(), demand.shape(), Standing.preemptible(pod.priority()));
    var shortlist = placer.shortlist(cluster, request, nodes, _ -> 0, "", 1);
    if (!shortlist.places().isEmpty()) {
      return chosen(pod, like, name, shortlist.places().getFirst());
    }
    // After a refusal on every node, each may be tried again.
    return tried.remove(pod.uid()) == null
        ? new NoRoom(reason(shortlist.refusals()), false)
        : new NoRoom("kube-scheduler refuses it on every node that has room for it", true);
  }

  private Chosen chosen(ClaimPod pod, Claim like, Claim.Key name, Placement placement) {
    var gpus = stock.cluster().find(placement.node()).orElseThrow().spec().gpus();
    var uuids = placement.shares().stream().map(GpuShare::uuid).toList();
    var driver = gpus.get(placement.shares().getFirst().card()).vendor();
    var pin = new Pin(placement.node(), uuids);
    return new Chosen(new Step.Pinned(pod, name, like, driver, pin), placement);
  }

  /** The same decision gives the same name, so no claim is made twice. */
  private static Claim.Key pinnedName(ClaimPod pod, Claim.Key like) {
    var base = pod.name().substring(0, Math.min(LONGEST_BASE, pod.name().length()));
    var seed = (pod.uid() + "/" + like.name()).getBytes(UTF_8);
    var hash = UUID.nameUUIDFromBytes(seed).toString().substring(0, 8);
    return new Claim.Key(pod.namespace(), base.replaceFirst("[^a-z0-9]+$", "") + "-" + hash);
  }

  private static String reason(List<NodeRefusal> refusals) {
    return refusals.stream()
        .collect(Collectors.groupingBy(NodeRefusal::reason, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(
            entry ->
                "%d %s"
                    .formatted(
                        entry.getValue(), entry.getKey().phrase(entry.getValue().intValue())))
        .collect(Collectors.joining(", ", "no node has room: ", ""));
  }
}
