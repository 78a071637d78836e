package io.prescale.controller.lab;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * How near queues come to their shares while pods come and go, on a real control plane: an hour of
 * arrivals in accelerated time on 160 cards or more, with kube-scheduler and the extender. Five
 * queues always have pods that wait, one asks for less than its guarantee. Prints what each had on
 * the average by the API server, and what it is owed. See {@code docs/benchmarks.md}.
 */
public final class FairHour {
  /** For which guarantees, arrivals and waiting pods are stated; others are in proportion. */
  private static final int USUAL_NODES = 20;

  /** Pods of each of five queues. */
  private static final int WAITING = 30;

  private static final int FACTOR = Integer.getInteger("prescale.factor", 6);
  private static final double LIFETIME_SECONDS = 600;
  private static final Duration WARM_UP = Duration.ofMinutes(15);
  private static final Duration MEASURED = Duration.ofHours(1);
  private static final Duration TICK = Duration.ofMillis(250);

  /** Of the light queue, in cards. */
  private static final int LIGHT_GUARANTEE = 20;

  /** Of the light queue, in cards that it asks for on the average. */
  private static final double LIGHT_LOAD = 8;

  private static final String LIGHT = "light";
  private static final String QUEUE = "gpu.prescale.io/queue";

  /** Guaranteed of what remains beside the light queue, to {@code large}. */
  private static final int GUARANTEED = 40;

  /** By weight, of the six parts of what then remains. */
  private static final Map<String, Double> PARTS =
      new TreeMap<>(Map.of("one", 1.0, "two", 2.0, "large", 1.0, "left", 0.5, "right", 1.5));

  private static final int ALL_PARTS = 6;

  private final KubernetesClient client;
  private final int nodes;
  private final SplittableRandom random = new SplittableRandom(7);
  private final Map<String, Instant> ends = new HashMap<>();
  private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Integer> made = new HashMap<>();
  private final Map<String, Double> cardSeconds = new TreeMap<>();
  private double askedOfLight;
  private double seconds;

  private FairHour(KubernetesClient client, int nodes) {
    this.client = client;
    this.nodes = nodes;
  }

  /**
   * The argument is the number of nodes, 20 if there is none; {@code -Dprescale.factor=6} is how
   * many times as fast the hour passes.
   */
  public static void main(String[] args) throws Exception {
    int nodes = args.length == 0 ? USUAL_NODES : Integer.parseInt(args[0]);
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty(PrescaleInLab.LONG_RUNS, "true");
    var folder = Files.createTempDirectory("fair-hour");
    int port = PrescaleInLab.freePort();
    try (var lab = ExtenderInLab.emptyLab(folder, port);
        var client = LabObjects.client(lab)) {
      lab.apply(RegisteredNodes.manifest(0, nodes, RegisteredNodes.CARDS));
      await()
          .until(() -> client.nodes().list().getItems().stream().allMatch(Readiness::isNodeReady));
      QueuesOnEightCards.define(lab);
      var hour = new FairHour(client, nodes);
      lab.apply(hour.queues());
      try (var _ = ExtenderInLab.install(lab, folder, port).start("fair-hour")) {
        hour.run();
      }
    }
  }

  /** So much of what is stated as there are nodes. */
  private double scaled(double usual) {
    return usual * nodes / USUAL_NODES;
  }

  private int cards() {
    return nodes * RegisteredNodes.CARDS;
  }

  private String queues() {
    return QueuesOnEightCards.queue(LIGHT, guarantee(LIGHT_GUARANTEE))
        + QueuesOnEightCards.queue("one", "{}")
        + QueuesOnEightCards.queue("two", "{weight: 2}")
        + QueuesOnEightCards.queue("large", guarantee(GUARANTEED))
        + QueuesOnEightCards.queue("both", "{weight: 2}")
        + QueuesOnEightCards.queue("left", "{parent: both}")
        + QueuesOnEightCards.queue("right", "{parent: both, weight: 3}");
  }

  private String guarantee(int usual) {
    return "{guarantee: %.0f}".formatted(scaled(usual));
  }

  private void run() throws InterruptedException {
    try (var pods = client.pods().inNamespace("default").withLabel(QUEUE).inform()) {
      var begin = Instant.now();
      var measured = begin.plus(WARM_UP.dividedBy(FACTOR));
      var end = measured.plus(MEASURED.dividedBy(FACTOR));
      var last = begin;
      var nextOfLight = begin;
      while (last.isBefore(end)) {
        Thread.sleep(TICK);
        var now = Instant.now();
        var bound = new HashMap<String, Integer>();
        var waiting = new HashMap<String, Integer>();
        for (var pod : pods.getStore().list()) {
          count(pod, now, bound, waiting);
        }
        if (now.isAfter(measured)) {
          double passed = Duration.between(last, now).toNanos() / 1e9;
          seconds += passed;
          bound.forEach((queue, cards) -> cardSeconds.merge(queue, cards * passed, Double::sum));
          askedOfLight += passed * (bound.getOrDefault(LIGHT, 0) + waiting.getOrDefault(LIGHT, 0));
        }
        last = now;
        PARTS.keySet().forEach(queue -> fill(queue, waiting.getOrDefault(queue, 0)));
        while (nextOfLight.isBefore(now)) {
          create(LIGHT);
          nextOfLight = nextOfLight.plus(span(LIFETIME_SECONDS / scaled(LIGHT_LOAD)));
        }
      }
    }
    requests.close();
    print();
  }

  private void count(
      Pod pod, Instant now, Map<String, Integer> bound, Map<String, Integer> waiting) {
    var name = pod.getMetadata().getName();
    var queue = pod.getMetadata().getLabels().get(QUEUE);
    if (pod.getSpec().getNodeName() == null) {
      waiting.merge(queue, 1, Integer::sum);
      return;
    }
    var end = ends.computeIfAbsent(name, _ -> now.plus(span(LIFETIME_SECONDS)));
    if (end.isBefore(now)) {
      ends.put(name, Instant.MAX);
      requests.execute(
          () -> client.pods().inNamespace("default").withName(name).withGracePeriod(0L).delete());
    } else {
      bound.merge(queue, end.equals(Instant.MAX) ? 0 : 1, Integer::sum);
    }
  }

  /** An exponentially distributed time of that mean, in seconds of the hour. */
  private Duration span(double mean) {
    return Duration.ofNanos((long) (-Math.log(1 - random.nextDouble()) * mean / FACTOR * 1e9));
  }

  private void fill(String queue, int waiting) {
    var created = made.getOrDefault(queue, 0);
    var seen = ends.keySet().stream().filter(name -> name.startsWith(queue + "-")).count();
    for (long missing = (long) scaled(WAITING) - Math.max(waiting, created - seen);
        missing > 0;
        missing--) {
      create(queue);
    }
  }

  private void create(String queue) {
    var name = queue + "-" + made.merge(queue, 1, Integer::sum);
    var pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels(QUEUE, queue)
            .endMetadata()
            .withNewSpec()
            .withTerminationGracePeriodSeconds(0L)
            .addNewContainer()
            .withName("main")
            .withImage("model")
            .withNewResources()
            .addToLimits("nvidia.com/gpu", new Quantity("1"))
            .addToLimits("nvidia.com/gpumem", new Quantity("81920"))
            .endResources()
            .endContainer()
            .endSpec()
            .build();
    requests.execute(() -> client.pods().inNamespace("default").resource(pod).create());
  }

  private void print() {
    double used = cardSeconds.values().stream().mapToDouble(Double::doubleValue).sum() / seconds;
    System.out.printf(
        Locale.ROOT,
        "%.0f s, %d pods bound, %.1f of %d cards in use%n",
        seconds,
        ends.size(),
        used,
        cards());
    double light = askedOfLight / seconds;
    print(LIGHT, light);
    double guaranteed = scaled(GUARANTEED);
    double part = (cards() - light - guaranteed) / ALL_PARTS;
    PARTS.forEach(
        (queue, parts) -> print(queue, parts * part + (queue.equals("large") ? guaranteed : 0)));
  }

  private void print(String queue, double owed) {
    double had = cardSeconds.getOrDefault(queue, 0.0) / seconds;
    System.out.printf(
        Locale.ROOT,
        "%-6s owed %.1f cards, had %.2f: %+.1f %%%n",
        queue,
        owed,
        had,
        100 * (had - owed) / owed);
  }
}
