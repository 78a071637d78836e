package io.prescale.placement.inventory;

import com.fasterxml.jackson.databind.JsonNode;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.topology.LinkMatrix;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
