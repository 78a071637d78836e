package io.prescale.controller.lab;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One controller, and how it fares with many PredictiveHPAs: each with a query of its own, 14 days
 * of minutes and an HPA that decides every 15 s, all on one machine with their control plane and
 * Prometheus. The targets are resources with a scale and without pods, so that what is measured is
 * not the making of pods. See {@code docs/benchmarks.md}.
 */
public final class ControllerScale implements AutoCloseable {
  private static final Duration HISTORY = Duration.ofDays(14);
  private static final Duration REPORTED_EVERY = Duration.ofMinutes(1);
  private static final Duration BETWEEN_READS = Duration.ofMillis(100);
  private static final Set<String> MUTATIONS = Set.of("create", "update", "patch", "delete");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Lab lab;
  private final KubernetesClient client;
  private final int objects;
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<Double> ages = new ArrayList<>();
  private Map<String, Double> counted = new HashMap<>();
  private int failedReads;

  private ControllerScale(Lab lab, int objects) {
    this.lab = lab;
    this.objects = objects;
    this.client = LabObjects.client(lab);
  }

  /** Arguments: how many PredictiveHPAs, for how many minutes, and when the leader is killed. */
  public static void main(String[] args) throws Exception {
    int objects = Integer.parseInt(args[0]);
    int minutes = Integer.parseInt(args[1]);
    int killedAfter = Integer.parseInt(args[2]);
    var folder = Files.createTempDirectory("controller-scale");
    var prometheus = LabPrometheus.in(folder);
    var now = Instant.now();
    var load = new DailyLoad(1, now.minus(Duration.ofDays(20)), Duration.ofDays(1), 100);
    try (var exporter = LoadExporter.start(load, Clock.systemUTC());
        var lab =
            Lab.start(
                "--nodes=1",
                "--hpa-sync-period=15s",
                "--prometheus-config=" + prometheus.config());
        var run = new ControllerScale(lab, objects)) {
      prometheus.fill(lab, exporter, load, now.minus(HISTORY.plusDays(2)), now);
      run.measure(PrescaleInLab.install(lab, folder), minutes, killedAfter);
    }
  }

  /** The replica that leads is killed when so many minutes are over. */
  private void measure(PrescaleInLab prescale, int minutes, int killedAfter) throws Exception {
    ManyObjects.create(lab, objects, "");
    System.out.printf("%d PredictiveHPAs are made%n", objects);
    int port = PrescaleInLab.freePort();
    int standbyPort = PrescaleInLab.freePort();
    var started = Instant.now();
    try (var leader = prescale.startBeside("scale-leader", "--metrics-port=" + port)) {
      await()
          .atMost(Duration.ofMinutes(2))
          .ignoreExceptions()
          .until(() -> sum(metrics(port), "prescale_leader") == 1);
      try (var standby = prescale.start("scale-standby", "--metrics-port=" + standbyPort)) {
        for (int minute = 1; minute <= minutes; minute++) {
          readUntil(started.plus(REPORTED_EVERY.multipliedBy(minute)));
          if (minute <= killedAfter) {
            report(minute, leader.process(), port);
          } else {
            report(minute, standby.process(), standbyPort);
          }
          if (minute == killedAfter) {
            leader.kill();
            counted.clear();
            System.out.println("The leader is killed");
          }
        }
        reportMutations(started);
        reportAutoscalersReads();
        reportLease();
        reportStates();
      }
    }
  }

  /** All that Prescale had written, by the API server's account: what no counter of its own has. */
  private void reportMutations(Instant started) throws IOException {
    var byMinute = new TreeMap<Long, Map<String, Integer>>();
    AuditLog.wholeLog(
        lab,
        "serviceaccount:prescale:prescale",
        event -> {
          var resource = event.at("/objectRef/resource").asText();
          if (MUTATIONS.contains(event.at("/verb").asText()) && !resource.endsWith("reviews")) {
            var at = Instant.parse(event.at("/stageTimestamp").asText());
            byMinute
                .computeIfAbsent(
                    1 + Duration.between(started, at).toMinutes(), _ -> new TreeMap<>())
                .merge(resource, 1, Integer::sum);
          }
        });
    byMinute.forEach(
        (minute, writes) ->
            System.out.printf(
                "min %2d | %.1f writes a second in all: %s%n",
                minute, writes.values().stream().mapToInt(it -> it).sum() / 60.0, writes));
  }

  /** How the API server answered the HPA controller, which is what counts. */
  private void reportAutoscalersReads() throws IOException {
    var byCode = new TreeMap<Integer, Integer>();
    AuditLog.wholeLog(
        lab,
        "/apis/external.metrics.k8s.io/",
        event -> {
          if (event.at("/user/username").asText().endsWith(":horizontal-pod-autoscaler")) {
            byCode.merge(event.at("/responseStatus/code").asInt(), 1, Integer::sum);
          }
        });
    System.out.printf("the HPA controller's reads by status: %s%n", byCode);
  }

  private void reportLease() {
    for (var lease : client.leases().inNamespace("prescale").list().getItems()) {
      System.out.printf(
          "Lease %s: %s leads, after %d changes%n",
          lease.getMetadata().getName(),
          lease.getSpec().getHolderIdentity(),
          lease.getSpec().getLeaseTransitions());
    }
  }

  private void reportStates() {
    var sizes =
        client.configMaps().inNamespace("prescale").list().getItems().stream()
            .filter(it -> it.getMetadata().getName().startsWith("prescale-states-"))
            .filter(it -> it.getBinaryData() != null)
            .flatMap(it -> it.getBinaryData().values().stream())
            .mapToInt(base64 -> Base64.getDecoder().decode(base64).length)
            .sorted()
            .toArray();
    System.out.printf(
        "%d saved states of %d bytes in all, %s at the median and %s at most%n",
        sizes.length,
        Arrays.stream(sizes).sum(),
        sizes.length == 0 ? "-" : sizes[sizes.length / 2],
        sizes.length == 0 ? "-" : sizes[sizes.length - 1]);
  }

  /** Asks for the values of one namespace after the other, as an HPA would. */
  private void readUntil(Instant end) throws InterruptedException {
    while (Instant.now().isBefore(end)) {
      int team = random.nextInt(Math.ceilDiv(objects, ManyObjects.IN_A_NAMESPACE));
      var path = "/apis/external.metrics.k8s.io/v1beta1/namespaces/team-" + team + "/demand";
      try {
        var answer = client.raw(path);
        var list = answer == null ? JSON.nullNode() : JSON.readTree(answer);
        failedReads += list.has("items") ? 0 : 1;
        for (JsonNode item : list.path("items")) {
          var at = Instant.parse(item.path("timestamp").asText());
          ages.add(Duration.between(at, Instant.now()).toMillis() / 1000.0);
        }
      } catch (KubernetesClientException | IOException _) {
        failedReads++;
      }
      Thread.sleep(BETWEEN_READS);
    }
  }

  private void report(int minute, Process process, int port) throws Exception {
    var metrics = metricsAtLast(port);
    long resident = Replica.residentMib(process);
    ages.sort(null);
    var cpu = process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0;
    System.out.printf(
        "min %2d | cpu %.1f s | rss %d MiB heap %.0f MiB | targets %.0f fresh %.0f lkg %.0f unknown"
            + " %.0f trusted %.0f | writes status %.0f (fail %.0f confl %.0f) values %.0f (fail"
            + " %.0f confl %.0f) states %.0f hpa %.0f event %.0f | ticks %.0f | age p50 %.0f p99"
            + " %.0f max %.0f of %d, failed %d%n",
        minute,
        since("cpu", cpu),
        resident,
        sum(metrics, "jvm_memory_bytes_used{area=\"heap\"") / (1 << 20),
        sum(metrics, "prescale_targets"),
        sum(metrics, "prescale_served_metrics{state=\"fresh\""),
        sum(metrics, "prescale_served_metrics{state=\"last_known_good\""),
        sum(metrics, "prescale_served_metrics{state=\"unknown\""),
        closed(metrics),
        since("s", writes(metrics, "status", "ok")),
        since("sf", writes(metrics, "status", "failed")),
        since("sc", writes(metrics, "status", "conflict")),
        since("v", writes(metrics, "values", "ok")),
        since("vf", writes(metrics, "values", "failed")),
        since("vc", writes(metrics, "values", "conflict")),
        since("st", writes(metrics, "states", "")),
        since("h", writes(metrics, "hpa", "")),
        since("e", writes(metrics, "event", "")),
        since("t", sum(metrics, "prescale_tick_seconds_count")),
        quantile(0.5),
        quantile(0.99),
        quantile(1),
        ages.size(),
        failedReads);
    ages.clear();
    failedReads = 0;
  }

  private static double closed(List<String> metrics) {
    return metrics.stream()
        .filter(it -> it.startsWith("prescale_breaker_state{") && it.contains("state=\"closed\""))
        .mapToDouble(ControllerScale::value)
        .sum();
  }

  private static double writes(List<String> metrics, String kind, String outcome) {
    return metrics.stream()
        .filter(it -> it.startsWith("prescale_writes_total{"))
        .filter(it -> it.contains("kind=\"" + kind) && it.contains("outcome=\"" + outcome))
        .mapToDouble(ControllerScale::value)
        .sum();
  }

  private static double sum(List<String> metrics, String begin) {
    return metrics.stream()
        .filter(it -> it.startsWith(begin))
        .mapToDouble(ControllerScale::value)
        .sum();
  }

  private static double value(String line) {
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }

  private double since(String what, double now) {
    double before = counted.getOrDefault(what, 0.0);
    counted.put(what, now);
    return now - before;
  }

  private double quantile(double p) {
    return ages.isEmpty() ? Double.NaN : ages.get((int) Math.ceil(p * ages.size()) - 1);
  }

  private static List<String> metrics(int port) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    return HTTP.send(request, BodyHandlers.ofString()).body().lines().toList();
  }

  private static List<String> metricsAtLast(int port) throws IOException, InterruptedException {
    try {
      return metrics(port);
    } catch (IOException e) {
      System.out.println("The page of metrics is asked for again: " + e.getMessage());
      return metrics(port);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
