package io.prescale.placement.topology;

/**
 * The path between two cards over PCIe, from the slowest to the fastest, with its score in
 * go-gpuallocator.
 *
 * <p>Source: NVIDIA/go-gpuallocator, {@code gpuallocator/besteffort_policy.go}, {@code
 * calculateGPUPairScore}; the abbreviations are those of {@code nvidia-smi topo -m}.
 */
public enum PciePath {
  /** The path is unknown. */
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
