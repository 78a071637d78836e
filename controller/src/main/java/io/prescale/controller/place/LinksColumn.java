package io.prescale.controller.place;

import io.prescale.controller.input.Excerpt;
import io.prescale.controller.input.InputException;
import io.prescale.placement.topology.Link;
import io.prescale.placement.topology.LinkMatrix;
import io.prescale.placement.topology.PciePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the cards of a node are linked, in the words of {@code nvidia-smi topo -m}: one for each pair
 * in the order 0-1, 0-2, …, 1-2, …; {@code NV4+PIX} where both joins a pair.
 */
final class LinksColumn {
  private static final String NAME = "links";
  private static final Pattern NV_LINKS = Pattern.compile("NV([1-9]\\d?)");
  private static final Map<String, PciePath> PATHS =
      Map.of(
          "SYS", PciePath.CROSS_CPU,
          "NODE", PciePath.SAME_CPU,
          "PHB", PciePath.HOST_BRIDGE,
          "PXB", PciePath.MULTI_SWITCH,
          "PIX", PciePath.SINGLE_SWITCH,
          "PSB", PciePath.SAME_BOARD);

  private LinksColumn() {}

  /** The links of so many cards; empty when the field is. */
  static Optional<LinkMatrix> read(Columns row, int cards) throws InputException {
    var words = row.list(NAME);
    if (words.isEmpty()) {
      return Optional.empty();
    }
    int pairs = cards * (cards - 1) / 2;
    if (words.size() != pairs) {
      throw row.problem(
          NAME, "has %d words for the %d pairs of %d cards".formatted(words.size(), pairs, cards));
    }
    var links = new ArrayList<Link>();
    for (var word : words) {
      links.add(link(row, word));
    }
    return Optional.of(LinkMatrix.of(cards, (a, b) -> links.get(pair(a, b, cards))));
  }

  /** The place of a pair {@code a < b} in the order of the column. */
  private static int pair(int a, int b, int cards) {
    return a * (2 * cards - a - 1) / 2 + b - a - 1;
  }

  private static Link link(Columns row, String word) throws InputException {
    int nvLinks = 0;
    var path = PciePath.UNKNOWN;
    for (var part : List.of(word.split("\\+", -1))) {
      var nv = NV_LINKS.matcher(part);
      var pcie = PATHS.get(part);
      if (nv.matches() && nvLinks == 0 && Integer.parseInt(nv.group(1)) <= Link.MOST_NV_LINKS) {
        nvLinks = Integer.parseInt(nv.group(1));
      } else if (pcie != null && path == PciePath.UNKNOWN) {
        path = pcie;
      } else {
        throw row.problem(
            NAME,
            "%s is none of NV1 to NV%d, PIX, PXB, PHB, NODE, SYS and PSB, nor two of them as NV4+PIX"
                .formatted(Excerpt.quoted(word), Link.MOST_NV_LINKS));
      }
    }
    return new Link(path, nvLinks);
  }
}
