package io.prescale.placement.cluster;

/**
 * How the cards of one request must be linked with each other.
 *
 * @param strength whether links matter at all
 * @param scope the widest scope allowed for any pair of cards, when links are required
 */
public record LinkRequirement(Strength strength, LinkScope scope) {

  public enum Strength {
    NONE,
    PREFERRED,
    REQUIRED
  }

  /** How near every pair of cards must be, as the least score of a pair (go-gpuallocator). */
  public enum LinkScope {
    NVLINK("NVLink", 100),
    PCIE_SWITCH("one PCIe switch", 50),
    PCIE_HOST_BRIDGE("one PCIe host bridge", 30),
    NUMA_NODE("one NUMA node", 20),
    NODE("one node", 0);

    private final String phrase;
    private final int leastScore;

    LinkScope(String phrase, int leastScore) {
      this.phrase = phrase;
      this.leastScore = leastScore;
    }

    /** The scope's name in a sentence, such as {@code one PCIe switch}. */
    public String phrase() {
      return phrase;
    }

    /** The least score of a pair of cards within the scope. */
    public int leastScore() {
      return leastScore;
    }
  }

  public static final LinkRequirement NONE = new LinkRequirement(Strength.NONE, LinkScope.NODE);

  /** The best-linked cards that there are. */
  public static LinkRequirement preferred() {
    return preferred(LinkScope.NODE);
  }

  /** The same by one scope, if it is judged by something else than links. */
  public static LinkRequirement preferred(LinkScope scope) {
    return new LinkRequirement(Strength.PREFERRED, scope);
  }

  public static LinkRequirement required(LinkScope scope) {
    return new LinkRequirement(Strength.REQUIRED, scope);
  }
}
