package io.prescale.placement.topology;

/** The links inside common machines. */
public final class KnownMachines {
  /** As many cards as each of them has. */
  public static final int CARDS = 8;

  /** NVLinks of DGX-1 V100 above the diagonal: row a, column b - a - 1. */
  private static final String[] DGX1_V100_NV_LINKS = {
    "1122000", "210200", "20010", "0001", "112", "21", "2"
  };

  private KnownMachines() {}

  /**
   * DGX-1 with eight V100: a hybrid cube mesh of single and double NVLinks, two cards to a PCIe
   * switch, four to a CPU. Source: {@code NewDGX1VoltaNode} in NVIDIA/go-gpuallocator, {@code
   * gpuallocator/common_test.go}.
   */
  public static LinkMatrix dgx1V100() {
    return LinkMatrix.of(
        CARDS,
        (a, b) ->
            new Link(
                twoToASwitch(a, b, PciePath.SINGLE_SWITCH, PciePath.HOST_BRIDGE),
                DGX1_V100_NV_LINKS[a].charAt(b - a - 1) - '0'));
  }

  /**
   * DGX A100: 12 NVLinks between any two cards through NVSwitch; two cards to a NUMA node. Source:
   * {@code nvidia-smi topo -m} in NVIDIA/nccl issue 1505.
   */
  public static LinkMatrix dgxA100() {
    return LinkMatrix.of(
        CARDS,
        (a, b) -> new Link(twoToASwitch(a, b, PciePath.MULTI_SWITCH, PciePath.CROSS_CPU), 12));
  }

  /**
   * HGX H100, as in DGX H100: 18 NVLinks between any two cards through NVSwitch; four cards to a
   * CPU, each behind its own switch. Source: {@code nvidia-smi topo -m} of a DGX H100 at
   * kubernetes.recipes, "DGX H100 nvidia-smi topo -m Guide".
   */
  public static LinkMatrix hgxH100() {
    return LinkMatrix.of(
        CARDS, (a, b) -> new Link(a / 4 == b / 4 ? PciePath.SAME_CPU : PciePath.CROSS_CPU, 18));
  }

  /**
   * Eight cards without NVLink in a server of two sockets: two cards to a PCIe switch, two switches
   * to a CPU. This is the usual arrangement of L40S and A10 servers, not a particular product.
   */
  public static LinkMatrix pcieOnly() {
    return LinkMatrix.of(
        CARDS, (a, b) -> Link.pcie(twoToASwitch(a, b, PciePath.SINGLE_SWITCH, PciePath.SAME_CPU)));
  }

  /**
   * Eight Kunlun P800: links within each half of the cards, and from each card of one half to one
   * of the other. Source: {@code GroupConnection} and {@code InterGroupConnection} in
   * Project-HAMi/HAMi, {@code pkg/device/kunlun/device.go}; {@code topo.go} there takes the halves
   * by the places of cards in their registration.
   */
  public static LinkMatrix p800() {
    int half = CARDS / 2;
    return LinkMatrix.of(
        CARDS,
        (a, b) ->
            a / half == b / half
                ? new Link(PciePath.SAME_CPU, 1)
                : new Link(PciePath.CROSS_CPU, b - a == half ? 1 : 0));
  }

  private static PciePath twoToASwitch(int a, int b, PciePath sameSwitch, PciePath sameCpu) {
    if (a / 2 == b / 2) {
      return sameSwitch;
    }
    return a / 4 == b / 4 ? sameCpu : PciePath.CROSS_CPU;
  }
}
