package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.lab.MetricSampler.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a tick is about is edited, deleted and made again while it waits for Prometheus, between all
 * that it reads of the cluster and all that it writes, or each write meets a conflict. Demand stays
 * at 30, and the metric is asked for every second: each answer is at least 30 or an error.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@NullUnmarked // what startAll sets
class MidTickLabIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final double DEMAND = 30;
  private static final int LEAST = 3;
  private static final Duration TIME_TO_LIVE = Duration.ofMinutes(2);
  private static final String HPA = "prescale-chat";

  /** All that is written in a tick but the Lease, which has a case of its own. */
  private static final String DECISIONS =
      "predictivehpas/status, horizontalpodautoscalers, configmaps, events";

  private Path folder;
  private GreedyPrometheus prometheus;
  private Lab lab;
  private KubernetesClient client;
  private Replica replica;
  private MetricSampler sampler;
  private MetricWatch watch;
  private Instant began = Instant.EPOCH;

  @BeforeAll
  void startAll(@TempDir Path temporary) throws Exception {
    folder = temporary;
    prometheus = new GreedyPrometheus();
    lab = Lab.start("--nodes=2", "--hpa-sync-period=2s", "--pod-start-delay=1s");
    client = LabObjects.client(lab);
    replica =
        PrescaleInLab.install(lab, folder).start("mid-tick", "--prometheus=" + prometheus.url());
    applyTarget();
    applyPredictiveHpa(10);
    sampler = MetricSampler.of(lab, LabObjects.METRIC, "chat");
    watch = MetricWatch.start(sampler, client, "chat", CLOCK);
  }

  @BeforeEach
  void everythingIsWell() {
    valueAfter(CLOCK.instant());
    patiently().until(this::replicas, it -> it >= LEAST);
    began = CLOCK.instant();
  }

  /**
   * In the end there is one HPA of the PredictiveHPA that there is, and the target has its size.
   */
  @AfterEach
  void itIsAsItShouldBeAgain() throws Exception {
    valueAfter(CLOCK.instant());
    patiently().until(this::replicas, it -> it >= LEAST);
    var owner = "-o=jsonpath={.items[*].metadata.ownerReferences[*].uid}";
    patiently().until(() -> lab.kubectl("get", "hpa", owner), uid("phpa", "chat")::equals);
    patiently().until(() -> reasons("ScalingActive"), "Scaling"::equals);
    watch.requireErrorsOrAtLeast(DEMAND, TIME_TO_LIVE, began);
    assertThat(replica.process().isAlive()).isTrue();
  }

  @AfterAll
  void stopAll() throws Exception {
    try (var _ = prometheus;
        var _ = lab;
        var _ = client;
        var _ = replica;
        var _ = sampler;
        var _ = watch) {}
  }

  @Test
  void anEditedHpaIsRepaired() throws Exception {
    var edit = "--patch={\"spec\": {\"maxReplicas\": 4}}";
    inMidTick(() -> lab.kubectl("patch", "hpa", HPA, "--type=merge", edit));

    patiently()
        .until(
            () -> lab.kubectl("get", "hpa", HPA, "-o=jsonpath={.spec.maxReplicas}"), "40"::equals);
  }

  @Test
  void aDeletedHpaIsMadeAgain() throws Exception {
    var former = uid("hpa", HPA);
    inMidTick(() -> lab.kubectl("delete", "hpa", HPA));

    patiently().until(() -> uid("hpa", HPA), it -> !it.equals(former));
    assertThat(replicas()).isGreaterThanOrEqualTo(LEAST);
  }

  @Test
  void aTargetThatIsScaledByHandIsScaledBack() throws Exception {
    inMidTick(() -> lab.kubectl("scale", "deployment", "chat", "--replicas=1"));

    patiently().until(this::replicas, it -> it >= LEAST);
  }

  @Test
  void aTargetThatIsDeletedAndMadeAgainIsScaled() throws Exception {
    inMidTick(() -> lab.kubectl("delete", "deployment", "chat"));
    patiently().until(() -> reasons("Ready"), "TargetNotFound"::equals);
    applyTarget();

    patiently().until(this::replicas, it -> it >= LEAST);
  }

  @Test
  void aTargetWithoutScaleIsReportedAndTheOneBeforeKeepsItsReplicas() throws Exception {
    var secret = "{\"spec\": {\"scaleTargetRef\": {\"apiVersion\": \"v1\", \"kind\": \"Secret\"}}}";
    inMidTick(() -> lab.kubectl("patch", "phpa", "chat", "--type=merge", "--patch=" + secret));
    patiently().until(() -> reasons("Ready"), "TargetNotScalable"::equals);
    assertThat(replicas()).isGreaterThanOrEqualTo(LEAST);

    applyPredictiveHpa(10);
  }

  @Test
  void anEditOfThePredictiveHpaStands() throws Exception {
    inMidTick(() -> applyPredictiveHpa(6));

    patiently().until(this::targetOfHpa, "6"::equals);
    patiently().until(this::replicas, it -> it >= DEMAND / 6);
    applyPredictiveHpa(10);
  }

  @Test
  void aPredictiveHpaThatIsDeletedAndMadeAgainBeginsAnew() throws Exception {
    var former = uid("phpa", "chat");
    inMidTick(() -> lab.kubectl("delete", "phpa", "chat", "--wait=false"));
    patiently().until(() -> lab.kubectl("get", "phpa", "-o", "name"), String::isBlank);
    assertThat(replicas()).as("its HPA went, and nothing else").isGreaterThanOrEqualTo(LEAST);
    applyPredictiveHpa(10);

    assertThat(uid("phpa", "chat")).isNotEqualTo(former);
  }

  /** What was served last stands, and what cannot be written is written later. */
  @Test
  void anotherWriterAlwaysComesFirst() throws Exception {
    try (var conflicts = ConflictingWebhook.start(client, folder, DECISIONS)) {
      patiently().until(conflicts::refused, it -> it > 0);
      applyPredictiveHpa(6);
      int before = conflicts.refused();
      var since = CLOCK.instant();
      patiently().until(conflicts::refused, it -> it > before + 20);
      assertThat(watch.newest(since).answer()).isInstanceOf(Answer.Value.class);

      double seconds = Duration.between(since, CLOCK.instant()).toMillis() / 1e3;
      assertThat((conflicts.refused() - before) / seconds).as("writes a second").isLessThan(5);
      assertThat(targetOfHpa()).isEqualTo("10");
    }

    patiently().until(this::targetOfHpa, "6"::equals);
    patiently().until(this::replicas, it -> it >= DEMAND / 6);
    applyPredictiveHpa(10);
  }

  /** No replica leads then: the value that was served last stands, and gets no newer. */
  @Test
  @Tag("long")
  void theLeaseMeetsConflictsOnly() throws Exception {
    try (var _ = ConflictingWebhook.start(client, folder, "leases")) {
      patiently().until(this::renewed, it -> it.isBefore(CLOCK.instant().minusSeconds(20)));
      var last = watch.newest(CLOCK.instant().minusSeconds(5));
      Thread.sleep(10_000); // five steps
      var standing = watch.newest(CLOCK.instant().minusSeconds(5));

      assertThat(standing.answer()).isInstanceOf(Answer.Value.class).isEqualTo(last.answer());
      assertThat(replicas()).isGreaterThanOrEqualTo(LEAST);
    }
  }

  private Instant renewed() throws Exception {
    return Instant.parse(
        lab.kubectl(
            "get", "lease", "prescale", "--namespace=prescale", "-o=jsonpath={.spec.renewTime}"));
  }

  /** Changes something after the next tick has begun, and has it go on then. */
  private void inMidTick(Callable<?> change) throws Exception {
    var done = new CompletableFuture<Object>();
    prometheus.beforeTheNextAnswer(
        () -> {
          try {
            done.complete(change.call());
          } catch (Exception e) {
            done.completeExceptionally(e);
          }
        });
    done.get(2, TimeUnit.MINUTES);
  }

  private void valueAfter(Instant time) {
    patiently().until(() -> watch.newest(time), it -> it.isFreshAfter(time));
  }

  private Object applyTarget() throws Exception {
    return lab.apply(LabObjects.deployment("chat", Duration.ofSeconds(1)));
  }

  private Object applyPredictiveHpa(int capacity) throws Exception {
    return lab.apply(
        LabObjects.predictiveHpa(
                "chat",
                capacity,
                "step: 2s, history: 1h",
                "  leadTime: 10s\n  fallback: {ttl: 2m, utilization: 100%}")
            .replace(LoadExporter.SERIES, GreedyPrometheus.THIRTY));
  }

  private String targetOfHpa() throws Exception {
    return lab.kubectl(
        "get", "hpa", HPA, "-o=jsonpath={.spec.metrics[*].external.target.averageValue}");
  }

  private String uid(String kind, String name) throws Exception {
    return lab.kubectl("get", kind, name, "-o=jsonpath={.metadata.uid}");
  }

  private String reasons(String type) throws Exception {
    return lab.kubectl(
        "get",
        "phpa",
        "chat",
        "-o=jsonpath={.status.conditions[?(@.type==\"%s\")].reason}".formatted(type));
  }

  private int replicas() throws Exception {
    return LabObjects.replicas(lab, "chat");
  }
}
