package io.prescale.placement.notice;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
 * {@code ./mvnw -q -pl gpu-placement -Pbench test-compile -Dbench=ReclaimRoundBenchmark}
 *
 * <p>8,000 cards on 1,000 nodes, all lent to pods of one card or to Jobs of eight such pods; claims
 * of eight cards on a node.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class ReclaimRoundBenchmark {
  private static final int NODES = 1000;
  private static final int CARDS = 8;

  @Param({"1", "10", "100"})
  private int claims;

  @Param({"false", "true"})
  private boolean areJobs;

  private ReclaimView before = new SimulatedReclaim(1, 1).view();
  private ReclaimView notified = before;
  private Instant now = Instant.EPOCH;

  @Setup
  public void full() {
    var cluster =
        new SimulatedReclaim(NODES, CARDS)
            .queue("owner", NODES * CARDS, ReclaimPolicy.Mode.OFF, 0)
            .queue("train", 0, ReclaimPolicy.Mode.ACT, NODES * CARDS);
    if (areJobs) {
      IntStream.range(0, NODES).forEach(_ -> cluster.job("train", CARDS, 1));
    } else {
      IntStream.range(0, NODES * CARDS).forEach(_ -> cluster.pod("train", 1));
    }
    int card = 0;
    for (var pod : cluster.all().toList()) {
      pod.node = card / CARDS;
      pod.cards = Set.of(card % CARDS);
      card++;
    }
    IntStream.range(0, claims).forEach(_ -> cluster.pod("owner", CARDS));
    before = cluster.view();
    for (int round = 0; round < claims; round += ReclaimRound.MOST_SEARCHES) {
      cluster.round(Integer.MAX_VALUE);
    }
    notified = cluster.view();
    now = cluster.now;
  }

  /** The first look at the claims: of more than ten, ten are searched for. */
  @Benchmark
  public List<ReclaimStep> begin() {
    return ReclaimRound.decide(before, now).steps();
  }

  /** Victims have their notice: what each second costs until it runs out. */
  @Benchmark
  public List<ReclaimStep> untilNoticesRunOut() {
    return ReclaimRound.decide(notified, now).steps();
  }
}
