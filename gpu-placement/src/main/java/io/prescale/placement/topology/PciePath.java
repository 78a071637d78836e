package io.prescale.placement.topology;

/**
 * The way from one card to another over PCIe, from the slowest to the fastest, with the score that
 * go-gpuallocator gives it.
 *
 * <p>Source: NVIDIA/go-gpuallocator, {@code gpuallocator/besteffort_policy.go}, {@code
 * calculateGPUPairScore}; the abbreviations are those of {@code nvidia-smi topo -m}.
 */
public enum PciePath {
  /** Nothing is known of the pair. */
  UNKNOWN(0),
  /** SYS: over the interconnect of the CPU sockets. */
  CROSS_CPU(10),
  /** NODE: between host bridges of one NUMA node. */
  SAME_CPU(20),
  /** PHB: over one host bridge. */
  HOST_BRIDGE(30),
  /** PXB: over several PCIe switches, no host bridge. */
  MULTI_SWITCH(40),
  /** PIX: over one PCIe switch. */
  SINGLE_SWITCH(50),
  /** Two cards on one board. */
  SAME_BOARD(60);

  private final int score;

  PciePath(int score) {
    this.score = score;
  }

  public int score() {
    return score;
  }
}
