package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.prescale.controller.cluster.Network;
import io.prescale.controller.lab.MetricSampler.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Between the leader and the API server a network swallows everything, for longer than a lease. */
class PartitionLabIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final String CUT = "partition-cut";
  private static final String OTHER = "partition-other";
  private static final Duration TAKEOVER = Duration.ofSeconds(20);
  private static final Set<String> CHANGES = Set.of("create", "update", "patch", "delete");

  /** ConfigMaps have values and saved states. */
  private static final Set<String> DECISIONS =
      Set.of("predictivehpas", "horizontalpodautoscalers", "configmaps", "events");

  @Test
  void oneWritesAndTheValueIsServedAllTheTime(@TempDir Path folder) throws Exception {
    var config = Files.writeString(folder.resolve("prometheus.yaml"), "scrape_configs: []\n");
    try (var lab = Lab.start("--nodes=2", "--hpa-sync-period=2s", "--prometheus-config=" + config);
        var client = LabObjects.client(lab);
        var network = new Network(lab.describe().server().getPort())) {
      var prescale = PrescaleInLab.install(lab, folder);
      var behind = prescale.behind(network.port(), folder.resolve("behind.kubeconfig"));
      lab.apply(LabObjects.deployment("chat", Duration.ofSeconds(2)));
      lab.apply(
          LabObjects.predictiveHpa("chat", 10, "step: 5s, history: 6h", "  leadTime: 10s")
              .replace(LoadExporter.SERIES, "vector(30)"));
      try (var cut = behind.startBeside(CUT)) {
        patiently().until(() -> leader(lab), CUT::equals);
        try (var other = prescale.start(OTHER);
            var sampler = MetricSampler.of(lab, LabObjects.METRIC, "chat");
            var watch = MetricWatch.start(sampler, client, "chat", CLOCK)) {
          patiently().until(() -> values(watch, Instant.EPOCH), it -> it.size() > 5);
          other.signal("STOP"); // a slow machine may have made it the leader
          patiently().until(() -> leader(lab), CUT::equals);
          var led = CLOCK.instant();
          other.signal("CONT");
          patiently().until(() -> writersInTurn(lab, led), it -> !it.isEmpty());
          patiently()
              .until(() -> values(watch, CLOCK.instant().minusSeconds(2)), it -> !it.isEmpty());
          var began = CLOCK.instant();

          network.cut();
          patiently().until(() -> leader(lab), OTHER::equals);
          var tookOver = CLOCK.instant();
          patiently().until(() -> values(watch, began), it -> isOfAfter(it, tookOver));
          var fresh = CLOCK.instant();
          network.mend();
          network.cutWhatIsOpen();
          Thread.sleep(30_000); // what the former leader would still write

          System.out.printf(
              "Leader cut off: another led after %d ms, a new value was served after %d ms%n",
              Duration.between(began, tookOver).toMillis(),
              Duration.between(began, fresh).toMillis());
          assertThat(Duration.between(began, tookOver)).isLessThanOrEqualTo(TAKEOVER);
          assertThat(watch.since(began))
              .allSatisfy(
                  seen ->
                      assertThat(seen.answer())
                          .isInstanceOfSatisfying(
                              Answer.Value.class,
                              value -> assertThat(value.value()).isGreaterThanOrEqualTo(30)));
          assertThat(writersInTurn(lab, led)).as("one leader after the other").hasSize(2);
          assertThat(cut.process().isAlive() && other.process().isAlive()).isTrue();
        }
      }
    }
  }

  /** Who wrote anything of ours since a time, without repetition; each has its own token. */
  private static List<String> writersInTurn(Lab lab, Instant since) throws IOException {
    var writers = new ArrayList<String>();
    AuditLog.events(lab, "serviceaccount:prescale:prescale").stream()
        .filter(PartitionLabIT::isDecision)
        .filter(it -> Instant.parse(it.at("/stageTimestamp").asText()).isAfter(since))
        .map(
            it -> it.at("/user/extra").get("authentication.kubernetes.io/credential-id").toString())
        .forEach(
            writer -> {
              if (writers.isEmpty() || !writers.getLast().equals(writer)) {
                writers.add(writer);
              }
            });
    return writers;
  }

  /** All that Prescale writes but the Lease, for which both stand. */
  private static boolean isDecision(JsonNode event) {
    return CHANGES.contains(event.at("/verb").asText())
        && event.at("/responseStatus/code").asInt() < 300
        && DECISIONS.contains(event.at("/objectRef/resource").asText());
  }

  private static List<Answer.Value> values(MetricWatch watch, Instant since) {
    return watch.since(since).stream()
        .flatMap(
            seen -> seen.answer() instanceof Answer.Value value ? Stream.of(value) : Stream.empty())
        .toList();
  }

  private static boolean isOfAfter(List<Answer.Value> values, Instant time) {
    return !values.isEmpty() && values.getLast().timestamp().isAfter(time);
  }

  private static String leader(Lab lab) throws IOException, InterruptedException {
    return lab.kubectl(
        "get", "lease", "prescale", "--namespace=prescale", "-o=jsonpath={.spec.holderIdentity}");
  }
}
