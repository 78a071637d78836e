package io.prescale.placement.inventory;

import com.fasterxml.jackson.databind.JsonNode;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.topology.Link;
import io.prescale.placement.topology.LinkMatrix;
import io.prescale.placement.topology.PciePath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads {@code hami.io/node-nvidia-score}: {@code [{"uuid":"GPU-a","score":{"GPU-b":1200}}]}. A
 * pair that is left out scores 0.
 */
final class LinkScores {
  static final String KEY = "hami.io/node-nvidia-score";

  private LinkScores() {}

  /**
   * The scores of every pair of the cards, in their order.
   *
   * @throws MalformedEntryException with the problem; then the links are unknown
   */
  static LinkMatrix read(List<Gpu> cards, String text) throws MalformedEntryException {
    Text.refuseLong(text);
    var indices = new HashMap<String, Integer>();
    for (int card = 0; card < cards.size(); card++) {
      indices.put(cards.get(card).uuid(), card);
    }
    var scores = new int[cards.size()][cards.size()];
    for (var row : ForeignJson.array(text, "it is not a JSON array")) {
      var fields = new Fields(row);
      var from = indices.get(fields.text("uuid"));
      if (from != null) {
        fill(scores[from], row.path("score"), indices);
      }
    }
    try {
      return LinkMatrix.ofScores(scores);
    } catch (IllegalArgumentException e) {
      throw new MalformedEntryException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * What NUMA nodes alone say of pairs of cards: empty unless there are several nodes, since 0 may
   * mean that they are not known.
   */
  static Optional<LinkMatrix> byNumaNodes(List<Gpu> cards, Map<String, Long> numaNodes) {
    var nodes = cards.stream().map(card -> numaNodes.getOrDefault(card.uuid(), 0L)).toList();
    return nodes.stream().distinct().count() < 2
        ? Optional.empty()
        : Optional.of(
            LinkMatrix.of(
                cards.size(),
                (a, b) ->
                    Link.pcie(
                        nodes.get(a).equals(nodes.get(b))
                            ? PciePath.SAME_CPU
                            : PciePath.CROSS_CPU)));
  }

  private static void fill(int[] row, JsonNode score, Map<String, Integer> indices)
      throws MalformedEntryException {
    var fields = new Fields(score);
    for (var names = score.fieldNames(); names.hasNext(); ) {
      var name = names.next();
      var to = indices.get(name);
      if (to != null) {
        row[to] = fields.integer(name);
      }
    }
  }
}
