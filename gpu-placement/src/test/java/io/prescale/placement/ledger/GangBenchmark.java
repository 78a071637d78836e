package io.prescale.placement.ledger;

import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.PodFacts;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code ./mvnw -q -pl gpu-placement -Pbench test-compile -Dbench=GangBenchmark}
 *
 * <p>How long the ledger is locked by the one search for a gang of 1,000 equal pods on 5,000 nodes
 * of eight cards.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 8)
@Measurement(iterations = 11)
public class GangBenchmark {
  private static final int NODES = 5_000;
  private static final int PODS = 1_000;

  /** How many cards each pod asks for. */
  @Param({"1", "8"})
  private int cards;

  /** Within what the pods are to be near each other, if possible. */
  @Param({"", NetworkedLedger.LAYER_2, NetworkedLedger.ZONE})
  private String near = "";

  private final NetworkedLedger network = new NetworkedLedger();
  private List<PodFacts> gang = List.of();
  private Instant now = NetworkedLedger.NOW;

  @Setup
  public void waiting() {
    for (int node = 0; node < NODES; node++) {
      network.node("n" + node, 8, "z" + node % 4, "l" + node % 160);
    }
    var nearness = near.isEmpty() ? Nearness.ANYWHERE : NetworkedLedger.preferred(near);
    gang = network.gang("gang", PODS, PODS, cards, nearness);
  }

  /** What was found before is given back. */
  @Setup(Level.Invocation)
  public void later() {
    network.ledger.failed(gang.getFirst().uid(), now);
    now = now.plusSeconds(1_000);
  }

  @Benchmark
  public Candidates search() {
    var found = network.ledger.candidates(gang.getFirst(), network.nodes, true, now, _ -> 0);
    if (found.isRefusal()) {
      throw new IllegalStateException("the gang has no place: " + found);
    }
    return found;
  }
}
