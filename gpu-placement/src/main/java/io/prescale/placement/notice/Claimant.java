package io.prescale.placement.notice;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A pod, or a gang, that waits for cards.
 *
 * @param key names it in notices; unique
 * @param pods UIDs of its pods; of a gang also those that it does not need
 * @param shapes of the pods that it needs, at least one
 * @param milli what they take of the queue, in thousandths of a card
 * @param nodes where its pods may be; empty until the scheduler has asked about them
 * @param since when it began to wait
 */
public record Claimant(
    String key,
    String queue,
    Set<String> pods,
    List<RequestShape> shapes,
    long milli,
    Optional<Set<String>> nodes,
    int priority,
    Instant since) {
  /** More important ones first, then those that wait longest. */
  static final Comparator<Claimant> ORDER =
      Comparator.comparingInt((Claimant each) -> -each.priority())
          .thenComparing(Claimant::since)
          .thenComparing(Claimant::key);

  public Claimant {
    pods = Set.copyOf(pods);
    shapes = List.copyOf(shapes);
    nodes = nodes.map(Set::copyOf);
    if (shapes.isEmpty() || key.isBlank()) {
      throw new IllegalArgumentException("a claim needs a key and a pod or more");
    }
  }

  /** The same under another key. */
  public Claimant as(String newKey) {
    return new Claimant(newKey, queue, pods, shapes, milli, nodes, priority, since);
  }

  List<GpuRequest> requests() {
    return requests(key, queue, shapes);
  }

  /** Requests of the lowest priority, so that no pod of their own queue is taken for them. */
  static List<GpuRequest> requests(String key, String queue, List<RequestShape> shapes) {
    var standing = new Standing(queue, Integer.MIN_VALUE, false, Optional.empty());
    var requests = new ArrayList<GpuRequest>();
    for (var shape : shapes) {
      requests.add(new GpuRequest("claim:%s#%d".formatted(key, requests.size()), shape, standing));
    }
    return requests;
  }
}
