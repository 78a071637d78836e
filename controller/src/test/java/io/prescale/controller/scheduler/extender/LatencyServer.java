package io.prescale.controller.scheduler.extender;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.moves.MoveSettings;
import io.prescale.controller.scheduler.queues.QueueRows;
import io.prescale.controller.scheduler.warm.WarmSettings;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.ledger.HandOvers;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The extender's process in {@link ExtenderLatency}: prints its port, and takes lines with a pod's
 * UID and its node for what is bound, until there are no more.
 */
public final class LatencyServer {
  static final int CARDS = 8;

  private LatencyServer() {}

  /** Arguments: the numbers of nodes and of queues. */
  public static void main(String[] args) throws Exception {
    var ledger = new Ledger(10);
    IntStream.range(0, Integer.parseInt(args[0]))
        .forEach(node -> ledger.seen(Nodes.a100("node-" + node, CARDS)));
    ledger.queues(
        IntStream.range(0, Integer.parseInt(args[1]))
            .mapToObj(
                queue -> new QueueEntry("q" + queue, Optional.empty(), Quota.train(100_000, 1)))
            .toList());
    var clock = InstantSource.system();
    var config = new ConfigBuilder().withMasterUrl("http://127.0.0.1:1").build();
    try (var nobody = new KubernetesClientBuilder().withConfig(config).build()) {
      var committer =
          new Committer(
              ledger,
              new HandOvers(System::nanoTime, Duration.ofSeconds(30)),
              new NodeLocks(nobody, ledger, clock),
              new FakeBinder(),
              clock,
              Duration.ofSeconds(1),
              (_, _) -> Map.of());
      var api =
          new ExtenderApi(
              ledger,
              committer,
              QueueSource.PRESCALE,
              clock,
              new PreemptVerb(ledger, Set::of, _ -> List.of()),
              10);
      var usage = new UsageMetrics(ledger::uses, Map::of, _ -> Optional.empty());
      var metrics =
          new ExtenderMetrics(ledger, new ClaimLedger(), usage, Map::of, () -> true, clock);
      var cards =
          new CardPages(ledger, Map::of, _ -> Optional.empty(), () -> QueueRows.NONE, List::of);
      var answers = new ExtenderAnswers(api, metrics, Optional::empty, ledger::problems, cards);
      try (var context = ExtenderHttp.start("test", settings(), List.of(answers))) {
        System.out.println(context.port(ExtenderController.LISTENER));
        bindAsTold(ledger);
      }
    }
  }

  private static ExtenderSettings settings() {
    return new ExtenderSettings(
        "127.0.0.1",
        0,
        OptionalInt.empty(),
        Optional.empty(),
        false,
        10,
        Duration.ofSeconds(1),
        Duration.ofSeconds(30),
        Optional.empty(),
        false,
        Optional.empty(),
        QueueSource.PRESCALE,
        MoveSettings.OFF,
        Optional.empty(),
        WarmSettings.OFF,
        Optional.empty());
  }

  private static void bindAsTold(Ledger ledger) throws Exception {
    try (var lines = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var words = line.split(" ", 2);
        ledger.decide(words[0], words[1], Instant.now());
      }
    }
  }
}
