package io.prescale.controller.place;

import io.prescale.controller.input.Excerpt;
import io.prescale.controller.input.InputException;
import io.prescale.controller.input.InputException.Fault;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.MigSlot;
import io.prescale.placement.cluster.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/**
 * Places the pods of a file that run already. The file is trusted, even where it promises more of a
 * card than it has.
 *
 * @param podsName what messages call the file of the pods
 */
public record RunningPlaces(String podsName) {

  /** Adds the running pods to the cluster. */
  public ClusterSnapshot addTo(ClusterSnapshot empty, List<PodRow> pods) throws InputException {
    requireWholeGangs(pods);
    var cluster = empty;
    for (var pod : pods) {
      if (pod.place().isPresent()) {
        cluster = add(cluster, pod, pod.place().get());
      }
    }
    return cluster;
  }

  private void requireWholeGangs(List<PodRow> pods) throws InputException {
    var runs = new HashMap<String, Boolean>();
    for (var pod : pods) {
      var gang = pod.request().standing().gang();
      boolean isRunning = pod.place().isPresent();
      if (gang.isPresent() && runs.getOrDefault(gang.get(), isRunning) != isRunning) {
        throw problem(
            pod, "is of gang %s, which has both running and waiting pods".formatted(gang.get()));
      }
      gang.ifPresent(name -> runs.put(name, isRunning));
    }
  }

  private ClusterSnapshot add(ClusterSnapshot cluster, PodRow pod, PodRow.Place place)
      throws InputException {
    var node = cluster.find(place.node());
    if (node.isEmpty()) {
      throw problem(pod, "runs on node %s, which does not exist".formatted(place.node()));
    }
    try {
      return cluster.with(placement(pod, place, node.get()));
    } catch (IllegalArgumentException e) {
      throw problem(pod, "cannot run where the file says: " + e.getMessage());
    }
  }

  private Placement placement(PodRow pod, PodRow.Place place, GpuNode node) throws InputException {
    var demand = pod.request().shape().demand();
    var shares = new ArrayList<GpuShare>();
    for (int i = 0; i < place.cards().size(); i++) {
      int card = place.cards().get(i);
      if (card >= node.cards() || !node.gpu(card).canServe(demand)) {
        throw problem(
            pod,
            "asks for %s, which card %d of %s cannot serve".formatted(demand, card, place.node()));
      }
      var gpu = node.gpu(card);
      Optional<MigSlot> slot = Optional.empty();
      if (demand instanceof GpuDemand.MigInstance instance) {
        var profile = gpu.migProfile(instance.profile()).orElseThrow();
        int slice = place.migSlices().get(i);
        if (!profile.starts().contains(slice)) {
          throw problem(pod, "has %s at slice %d, where it cannot start".formatted(demand, slice));
        }
        if (!profile.fits(slice, node.migSlices(card))) {
          throw problem(
              pod,
              "has %s at slice %d of card %d of %s, which another instance uses"
                  .formatted(demand, slice, card, place.node()));
        }
        slot = Optional.of(new MigSlot(profile.name(), slice, profile.size()));
      }
      shares.add(
          new GpuShare(
              card, gpu.uuid(), gpu.computeMilliFor(demand), gpu.memoryMibFor(demand), slot));
    }
    return new Placement(pod.request(), place.node(), shares);
  }

  private InputException problem(PodRow pod, String problem) {
    return new InputException(
        Fault.UNUSABLE,
        "%s: pod %s %s.".formatted(podsName, Excerpt.quoted(pod.request().name()), problem));
  }
}
