package io.prescale.controller.lab;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.prescale.controller.Checkout;
import io.prescale.controller.lab.WeekCheck.Bounds;
import io.prescale.controller.lab.WeekLife.Life;
import io.prescale.controller.lab.WeekPods.Asked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A week of openb in accelerated time on a real control plane: its nodes with HAMi's registrations,
 * its pods in eight GpuQueues that give back with notice, kube-scheduler and the extender. Prints
 * how long pods waited and how full the cards were, and checks by the API server's audit log that
 * no bound was broken. What the week's pods do not need of the cluster is held by other work. See
 * {@code docs/benchmarks.md}.
 */
public final class OpenbWeek {
  static final String POD = "openb/pod";
  static final String IMPORTANT = "important";
  static final String KEPT = "kept";

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration SLACK = Duration.ofSeconds(2);

  /** Longer than kube-scheduler waits before it tries a pod again. */
  private static final Duration SETTLED_AFTER = Duration.ofSeconds(15);

  private static final int FORGOTTEN_AFTER = 120;
  private static final int CARD_MILLI = 1000;
  private static final double GUARANTEED = 0.8;

  private final WeekSettings settings;
  private final WeekPods week;
  private final OpenbNodes nodes;
  private final Lab lab;
  private final KubernetesClient client;

  private OpenbWeek(
      WeekSettings settings, WeekPods week, OpenbNodes nodes, Lab lab, KubernetesClient client) {
    this.settings = settings;
    this.week = week;
    this.nodes = nodes;
    this.lab = lab;
    this.client = client;
  }

  /** Arguments: as {@link WeekSettings} lists them. */
  public static void main(String[] args) throws Exception {
    var settings = WeekSettings.of(args);
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty(PrescaleInLab.LONG_RUNS, "true");
    var openb = Checkout.shared().resolve("openb");
    var week = WeekPods.read(openb, settings.firstDay(), settings.days());
    double peak = (double) week.peakMilli() * settings.copies() / CARD_MILLI;
    var nodes = OpenbNodes.read(openb, (int) Math.round(peak / settings.demand()));
    System.out.printf(
        "%s: %d pods, at most %.0f cards at once, on %d open cards of %d nodes; %d nodes in all%n",
        settings,
        week.pods().size() * settings.copies(),
        peak,
        OpenbNodes.cards(nodes.open()),
        nodes.open().size(),
        nodes.open().size() + nodes.kept().size());
    var folder = Files.createTempDirectory("openb-week");
    int port = PrescaleInLab.freePort();
    try (var lab = ExtenderInLab.emptyLab(folder, port);
        var client = LabObjects.client(lab)) {
      new OpenbWeek(settings, week, nodes, lab, client).run(folder, port);
    }
  }

  private void run(Path folder, int port) throws Exception {
    var manifest = Files.writeString(folder.resolve("nodes.yaml"), nodes.manifest());
    lab.kubectl("create", "--validate=false", "-f", manifest.toString());
    await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(2)).until(this::areNodesReady);
    QueuesOnEightCards.define(lab);
    lab.apply(queues());
    var extender = ExtenderInLab.install(lab, folder, port);
    var name = "openb-week-" + settings.moves();
    try (var _ = extender.start(name, settings.options());
        var life = new WeekLife(client, owner(), settings.factor());
        var gauges = new WeekGauges(extender, OpenbNodes.cards(nodes.open()))) {
      keepCards(folder);
      settle(life);
      gauges.start();
      life.start(week.begin(), copies(week.arriving(), week.begin()));
      Thread.sleep(settings.real(week.end() - week.begin()));
      gauges.stop();
      life.stop();
      report(life, gauges);
      end(gauges);
    }
  }

  private boolean areNodesReady() {
    return client.nodes().list().getItems().stream().allMatch(Readiness::isNodeReady);
  }

  private Bounds bounds() {
    int guarantee =
        (int) (OpenbNodes.cards(nodes.open()) * CARD_MILLI * GUARANTEED / WeekPods.QUEUES);
    return new Bounds(guarantee, settings.limit() * guarantee);
  }

  private String queues() {
    var bounds = bounds();
    var text = new StringBuilder();
    for (int queue = 0; queue < WeekPods.QUEUES; queue++) {
      text.append(
          QueuesOnEightCards.queue(
              WeekPods.queueNamed(queue),
              "{guarantee: %dm, limit: %dm, reclaim: {mode: Act, grace: %ds, maxPerHour: 10000}}"
                  .formatted(
                      bounds.guaranteeMilli(), bounds.limitMilli(), settings.grace().toSeconds())));
    }
    return text
        + QueuesOnEightCards.queue(
            KEPT, "{kind: Build, guarantee: %d}".formatted(OpenbNodes.cards(nodes.kept())))
        + """
        ---
        apiVersion: scheduling.k8s.io/v1
        kind: PriorityClass
        metadata: {name: %s}
        value: 1000
        preemptionPolicy: Never
        """
            .formatted(IMPORTANT);
  }

  /** Only pods with a controller move. It is none that leads to a workload. */
  private OwnerReference owner() {
    ConfigMap owner =
        client
            .configMaps()
            .inNamespace("default")
            .resource(
                new ConfigMapBuilder().withNewMetadata().withName("week").endMetadata().build())
            .create();
    return new OwnerReferenceBuilder()
        .withApiVersion("v1")
        .withKind("ConfigMap")
        .withName("week")
        .withUid(owner.getMetadata().getUid())
        .withController(true)
        .build();
  }

  private void keepCards(Path folder) throws IOException, InterruptedException {
    var manifest = Files.writeString(folder.resolve("kept.yaml"), nodes.keepers());
    lab.kubectl("create", "-f", manifest.toString());
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(2))
        .until(
            () ->
                client
                        .pods()
                        .inNamespace("default")
                        .withLabel("gpu.prescale.io/queue", KEPT)
                        .withField("status.phase", "Running")
                        .list()
                        .getItems()
                        .size()
                    == nodes.kept().size());
  }

  /** Those that are beyond their queue's limit wait when the clock starts. */
  private void settle(WeekLife life) throws InterruptedException {
    copies(week.alreadyAlive(), week.begin()).forEach(life::create);
    int before;
    do {
      before = life.bound();
      Thread.sleep(SETTLED_AFTER);
    } while (life.bound() > before);
  }

  private List<Life> copies(List<Asked> pods, long begin) {
    var lives = new ArrayList<Life>();
    for (var pod : pods) {
      for (int copy = 0; copy < settings.copies(); copy++) {
        lives.add(new Life(pod, copy, 0, (double) (pod.leaves() - Math.max(begin, pod.arrives()))));
      }
    }
    return lives;
  }

  private void report(WeekLife life, WeekGauges gauges) throws IOException {
    var bounds = new HashMap<String, Bounds>();
    for (int queue = 0; queue < WeekPods.QUEUES; queue++) {
      bounds.put(WeekPods.queueNamed(queue), bounds());
    }
    var lives = life.lives();
    var events = WeekLog.read(lab, lives, life.notices());
    var findings =
        new WeekCheck(Map.copyOf(bounds), nodes.memoryMib(), settings.grace(), SLACK)
            .replay(events);
    var report = new WeekReport(events, findings, lives);
    report.print(bounds());
    System.out.println("created too late: " + WeekReport.quantiles(life.lags()));
    System.out.println("requests that failed: " + life.failures());
    gauges.print();
  }

  /** All pods of the week leave; then no queue has cards or pods that wait. */
  private void end(WeekGauges gauges) throws IOException, InterruptedException {
    lab.kubectl(
        "delete", "pods", "--selector=" + POD, "--grace-period=0", "--force", "--wait=false");
    List<String> held = gauges.held();
    for (int second = 0; second < FORGOTTEN_AFTER && !held.isEmpty(); second++) {
      Thread.sleep(1000);
      held = gauges.held();
    }
    System.out.println("Counted after all pods have left: " + held);
    gauges.totals().forEach(System.out::println);
  }
}
