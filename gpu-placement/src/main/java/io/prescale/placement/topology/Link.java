package io.prescale.placement.topology;

/**
 * The connection between two cards. * @param nvLinks direct or switched NVLinks between the two, 0
 * to {@value #MOST_NV_LINKS}
 */
public record Link(PciePath path, int nvLinks) {
  /** More than any product has (18 on H100 and B200). */
  public static final int MOST_NV_LINKS = 64;

  private static final int NV_LINK_SCORE = 100;

  public Link {
    if (nvLinks < 0 || nvLinks > MOST_NV_LINKS) {
      throw new IllegalArgumentException(
          "a pair of cards has %d NVLinks; give 0 to %d".formatted(nvLinks, MOST_NV_LINKS));
    }
  }

  /** A link without NVLink. */
  public static Link pcie(PciePath path) {
    return new Link(path, 0);
  }

  /** The path's score plus 100 for each NVLink, as in go-gpuallocator. */
  public int score() {
    return path.score() + NV_LINK_SCORE * nvLinks;
  }
}
