package io.prescale.placement.cluster;

/**
 * All that determines where a request fits: requests of equal shape fit the same places equally
 * well.
 *
 * @param gpus number of cards, 0 to 16, all on one node
 * @param demand what it demands of each card
 * @param host what it demands of the node besides
 * @param cards which cards it accepts
 * @param links how the cards must be linked
 * @param packing which place it prefers when several fit
 */
public record RequestShape(
    int gpus,
    GpuDemand demand,
    HostDemand host,
    CardSelector cards,
    LinkRequirement links,
    PackingPolicy packing) {

  public RequestShape {
    if (gpus < 0 || gpus > NodeSpec.MAX_GPUS) {
      throw new IllegalArgumentException(
          "a request has 0 to %d GPUs, not %d".formatted(NodeSpec.MAX_GPUS, gpus));
    }
    if ((gpus == 0) != (demand instanceof GpuDemand.NoGpu)) {
      throw new IllegalArgumentException("%d GPUs do not go with %s".formatted(gpus, demand));
    }
  }

  /** A shape of cards only, of any kind and links, with default packing. */
  public static RequestShape of(int gpus, GpuDemand demand) {
    return new RequestShape(
        gpus,
        demand,
        HostDemand.NONE,
        CardSelector.ANY,
        LinkRequirement.NONE,
        PackingPolicy.DEFAULT);
  }

  public RequestShape withHost(HostDemand newHost) {
    return new RequestShape(gpus, demand, newHost, cards, links, packing);
  }

  public RequestShape withCards(CardSelector newCards) {
    return new RequestShape(gpus, demand, host, newCards, links, packing);
  }

  public RequestShape withLinks(LinkRequirement newLinks) {
    return new RequestShape(gpus, demand, host, cards, newLinks, packing);
  }

  public RequestShape withPacking(PackingPolicy newPacking) {
    return new RequestShape(gpus, demand, host, cards, links, newPacking);
  }

  /** Whether its cards have to be linked with each other. */
  public boolean needsLinks() {
    return gpus > 1 && links.strength() == LinkRequirement.Strength.REQUIRED;
  }

  /** The least score of any pair of its cards; 0 where they need not be linked. */
  public int leastLinkScore() {
    return needsLinks() ? links.scope().leastScore() : 0;
  }

  /** The shape in words, as in {@code 2 GPUs with 40 GiB on NVLink}. */
  @Override
  public String toString() {
    if (gpus == 0) {
      return "%d milli CPU and %s".formatted(host.cpuMilli(), Amounts.mebibytes(host.memoryMib()));
    }
    var text = new StringBuilder().append(gpus).append(gpus == 1 ? " GPU" : " GPUs");
    if (!demand.equals(GpuDemand.WholeGpu.ANY)) {
      text.append(" with ").append(demand);
    }
    if (links.strength() == LinkRequirement.Strength.REQUIRED) {
      text.append(" on ").append(links.scope().phrase());
    }
    return text.toString();
  }
}
