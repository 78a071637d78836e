package io.prescale.placement.cluster;

/** What a request demands of each of its cards. */
public sealed interface GpuDemand {

  /** No card: the request uses only CPU and memory of the node. */
  record NoGpu() implements GpuDemand {
    @Override
    public String toString() {
      return "no GPU";
    }
  }

  /**
   * Whole cards, used exclusively.
   *
   * @param leastMemoryMib minimum memory of the card; 0 accepts any
   */
  record WholeGpu(int leastMemoryMib) implements GpuDemand {
    public static final WholeGpu ANY = new WholeGpu(0);

    public WholeGpu {
      if (leastMemoryMib < 0) {
        throw new IllegalArgumentException(
            "the least memory of a whole GPU is negative: " + leastMemoryMib + " MiB");
      }
    }

    @Override
    public String toString() {
      return leastMemoryMib == 0 ? "any memory" : Amounts.mebibytes(leastMemoryMib);
    }
  }

  /**
   * A share of the compute and the same share of the memory, rounded down to a MiB.
   *
   * @param milli thousandths of a card, 1 to 999
   */
  record Fraction(int milli) implements GpuDemand {
    public Fraction {
      if (milli < 1 || milli > 999) {
        throw new IllegalArgumentException(
            "a fraction is 1 to 999 thousandths of a card, not " + milli);
      }
    }

    @Override
    public String toString() {
      return milli + "/1000";
    }
  }

  /**
   * Separate amounts of memory and compute.
   *
   * @param computeMilli thousandths of a card's compute; 0 shares the compute without a limit
   * @param memoryMib memory of the card, at least 1
   */
  record Share(int computeMilli, int memoryMib) implements GpuDemand {
    public Share {
      if (computeMilli < 0 || computeMilli > 1000) {
        throw new IllegalArgumentException(
            "a compute share is 0 to 1000 thousandths of a card, not " + computeMilli);
      }
      if (memoryMib < 1) {
        throw new IllegalArgumentException(
            "a share has at least 1 MiB of the card's memory, not " + memoryMib);
      }
    }

    @Override
    public String toString() {
      var memory = Amounts.mebibytes(memoryMib);
      return computeMilli == 0 ? memory : memory + " and " + computeMilli + "/1000 of the compute";
    }
  }

  /** An instance of a MIG profile such as {@code 1g.10gb}. */
  record MigInstance(String profile) implements GpuDemand {
    public MigInstance {
      if (profile.isBlank()) {
        throw new IllegalArgumentException("a MIG demand names its profile, such as 1g.10gb");
      }
    }

    @Override
    public String toString() {
      return "MIG " + profile;
    }
  }
}
