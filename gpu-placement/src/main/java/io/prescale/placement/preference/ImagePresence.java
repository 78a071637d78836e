package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;

/** Prefers a node that already has the container image. */
public record ImagePresence() implements Preference {
  @Override
  public String name() {
    return "image";
  }

  @Override
  public String inWords(long cost) {
    return cost == 0 ? "present, or none named" : "to be pulled";
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    var image = shape.host().image();
    long cost = image.isEmpty() || node.spec().images().contains(image) ? 0 : 1;
    return _ -> cost;
  }
}
