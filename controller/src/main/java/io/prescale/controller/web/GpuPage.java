package io.prescale.controller.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Nodes, cards and the newest placements. Amounts are in thousandths of a card.
 *
 * @param matching nodes that the filter lets through
 * @param nodes a page of those
 * @param decisions the newest first
 */
public record GpuPage(
    Totals totals, int matching, int offset, List<Node> nodes, List<Decision> decisions) {
  /** Where an extender has it; parameters are those of {@link GpusView.Query}. */
  public static final String PATH = "/cards";

  public GpuPage {
    Objects.requireNonNull(totals, "totals");
    nodes = List.copyOf(nodes);
    decisions = List.copyOf(decisions);
  }

  /** The page as JSON, as an extender answers with it at {@link #PATH}. */
  public String json() {
    try {
      return Json.MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a page of cards cannot be written", e);
    }
  }

  /**
   * Reads it back; fields of later versions are passed by.
   *
   * @throws IOException with a sentence, if it is none
   */
  public static GpuPage read(byte[] json) throws IOException {
    return Json.read(GpuPage.class, json);
  }

  /**
   * The whole cluster.
   *
   * @param allocatedMilli promised to pods
   * @param usedMilli kept busy by them, of the cards of which that is known
   * @param measuredCards of which it is known how busy they are
   * @param fragmentMilli idle and of no use to the workloads that there are
   * @param unplaced pods that no node has room for
   */
  public record Totals(
      int nodes,
      int cards,
      int sickCards,
      long allocatedMilli,
      long usedMilli,
      int measuredCards,
      long fragmentMilli,
      int unplaced) {}

  /**
   * A node.
   *
   * @param links how its cards are linked, in words
   * @param pairs the nearest link of each pair of cards, row by row: nv, switch, bridge, numa or
   *     far; empty when it is not known
   * @param problems what of it is left out, a sentence each
   */
  public record Node(
      String name,
      String model,
      String links,
      List<List<String>> pairs,
      long fragmentMilli,
      List<Card> cards,
      List<String> problems) {
    public Node {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(model, "model");
      Objects.requireNonNull(links, "links");
      pairs = pairs.stream().map(List::copyOf).toList();
      cards = List.copyOf(cards);
      problems = List.copyOf(problems);
    }
  }

  /**
   * A card.
   *
   * @param usedMilli null when its utilisation is not known
   */
  public record Card(
      int index,
      String uuid,
      int memoryMib,
      int allocatedMilli,
      int allocatedMib,
      @Nullable Integer usedMilli,
      String health,
      String trouble,
      List<Share> shares) {
    public Card {
      Objects.requireNonNull(uuid, "uuid");
      Objects.requireNonNull(health, "health");
      Objects.requireNonNull(trouble, "trouble");
      shares = List.copyOf(shares);
    }
  }

  /** What a pod has of a card. */
  public record Share(String pod, String workload, int milli, int mib, boolean ready) {
    public Share {
      Objects.requireNonNull(pod, "pod");
      Objects.requireNonNull(workload, "workload");
    }
  }

  /** What became of a pod; {@code node} is empty when no node has room. */
  public record Decision(Instant at, String pod, String node, String reason) {
    public Decision {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(pod, "pod");
      Objects.requireNonNull(node, "node");
      Objects.requireNonNull(reason, "reason");
    }
  }
}
