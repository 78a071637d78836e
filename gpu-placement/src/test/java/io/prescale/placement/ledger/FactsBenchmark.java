package io.prescale.placement.ledger;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.queue.Quota;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code ./mvnw -q -pl gpu-placement -Pbench test-compile -Dbench=FactsBenchmark}
 *
 * <p>How long the ledger is locked for the facts that moves, and taking back, read each second:
 * 8,000 cards on 1,000 nodes, each with a pod of a queue.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class FactsBenchmark {
  private static final int NODES = 1000;
  private static final int CARDS = 8;

  private final Ledger ledger = new Ledger(10);

  @Setup
  public void full() {
    ledger.queues(List.of(QueuedNode.queue("train", Quota.train(0, 1))));
    for (int node = 0; node < NODES; node++) {
      var name = "n" + node;
      ledger.seen(Nodes.a100(name, CARDS));
      for (int card = 0; card < CARDS; card++) {
        var pod = QueuedNode.asking("p-%d-%d".formatted(node, card), "train");
        var record = "GPU-%s-%d,NVIDIA,81920,100:;".formatted(name, card);
        var bound = Pods.bound(pod, name, Map.of(QueuedNode.RECORD, record));
        ledger.seen(Pods.inQueue(bound, "train", QueuedNode.NOW));
      }
    }
    if (ledger.moveFacts().held().size() != NODES * CARDS) {
      throw new IllegalStateException("not all pods have their cards");
    }
  }

  @Benchmark
  public MoveFacts moves() {
    return ledger.moveFacts();
  }

  @Benchmark
  public Optional<ReclaimFacts> reclaim() {
    return ledger.reclaimFacts(ReclaimQuestion.ofClaims(Set.of(), Map.of()));
  }
}
