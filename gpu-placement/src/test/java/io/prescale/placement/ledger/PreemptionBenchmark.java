package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.GPU;
import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.RECORD;
import static io.prescale.placement.ledger.QueuedNode.queue;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code ./mvnw -q -pl gpu-placement -Pbench test-compile -Dbench=PreemptionBenchmark}
 *
 * <p>How long the ledger is locked to find which of 32 small pods on the eight cards of a node
 * leave it, among 8,000 pods of a card on 1,000 other nodes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class PreemptionBenchmark {
  private static final int CARDS = 8;
  private static final int NODES = 1_000;

  /**
   * What limits which pods leave: nothing; two of the 32 are of a gang that can spare one of them,
   * so that the node cannot be emptied; or their queue can give three, and a card has four.
   */
  @Param({"nothing", "gang", "queue"})
  private String limit = "";

  /** How many whole cards are wanted. */
  @Param({"1", "8"})
  private int cards;

  private final Ledger ledger = new Ledger(10);

  @Setup
  public void running() {
    if (limit.equals("queue")) {
      ledger.queues(
          List.of(
              queue("own", Quota.train(100L * GPU, 1)),
              queue("other", Quota.train(NODES * CARDS * GPU + 29L * 244, 1))));
    }
    for (int node = 0; node < NODES; node++) {
      ledger.seen(Nodes.a100("n" + node, CARDS));
      for (int card = 0; card < CARDS; card++) {
        ledger.seen(pod("n%d-%d".formatted(node, card), "n" + node, card, 81_920));
      }
    }
    ledger.seen(Nodes.a100("a", CARDS));
    for (int i = 0; i < 4 * CARDS; i++) {
      var pod = pod("p%02d".formatted(i), "a", i % CARDS, 20_000);
      boolean isMember = limit.equals("gang") && (i == 0 || i == 1);
      ledger.seen(isMember ? Pods.inGroup(pod, "gang", 2) : pod);
    }
    if (limit.equals("gang")) {
      ledger.seen(Pods.inGroup(pod("third", "n0", 0, 81_920), "gang", 2));
    }
  }

  private static PodFacts pod(String name, String node, int card, int mib) {
    var asking = Pods.asking(name, Map.of("nvidia.com/gpu", 1L));
    var record = "GPU-%s-%d,NVIDIA,%d,0:;".formatted(node, card, mib);
    return Pods.bound(Pods.inQueue(asking, "other", NOW), node, Map.of(RECORD, record));
  }

  @Benchmark
  public Optional<List<String>> victims() {
    var asking = Pods.asking("important", Map.of("nvidia.com/gpu", (long) cards));
    var pod = Pods.inQueue(Pods.withPriority(asking, 10), "own", NOW);
    return Victims.on(ledger, pod, "a", List.of(), Set.of());
  }
}
