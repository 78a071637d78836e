package io.prescale.placement.filter;

/** Why a node cannot take a request, in the order in which reasons are checked. */
public enum Reason {
  CORDONED("is cordoned", "are cordoned"),
  NOT_READY("is not ready", "are not ready"),
  GPU_COUNT("has too few GPUs", "have too few GPUs"),
  GPU_KIND("lacks the kind of GPU", "lack the kind of GPU"),
  GPU_PARTITIONING(
      "has GPUs that are divided in another way", "have GPUs that are divided in another way"),
  GPU_HEALTH("lacks healthy GPUs", "lack healthy GPUs"),
  GPU_MEMORY("lacks memory", "lack memory"),
  GPU_COMPUTE("lacks compute", "lack compute"),
  GPU_IDLE("lacks idle GPUs", "lack idle GPUs"),
  GPU_SLOT("lacks a free slot", "lack a free slot"),
  MIG_PLACE("lacks room for the MIG profile", "lack room for the MIG profile"),
  LINK("lacks the link", "lack the link"),
  HOST_CPU("lacks CPU", "lack CPU"),
  HOST_MEMORY("lacks host memory", "lack host memory"),
  POSITION_UNKNOWN("has no known position", "have no known position");

  private final String singular;
  private final String plural;

  Reason(String singular, String plural) {
    this.singular = singular;
    this.plural = plural;
  }

  /** The reason as a predicate for a number of nodes. */
  public String phrase(int nodes) {
    return nodes == 1 ? singular : plural;
  }
}
