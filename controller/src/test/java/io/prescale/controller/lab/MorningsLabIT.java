package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The same morning three times on 64 cards of a real control plane, which training fills: with a
 * booking and notice, with preemption by priority when the replicas are created, and with half of
 * the cards reserved. The test plays the HPA. What came of it is drawn in {@code target/lab}.
 */
class MorningsLabIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final int NODES = 16;
  private static final int JOBS = 28;
  private static final int BORROWED = 56;
  private static final Duration GRACE = Duration.ofSeconds(15);

  private static final String SHARED =
      "%s: \"1\", %s: \"32768\"".formatted(HamiVendor.HYGON.count, HamiVendor.HYGON.memory);

  private static final String WHOLE = "nvidia.com/gpu: \"1\"";

  /** What is set up when all runs, and before the morning begins. */
  private interface Preparation {
    void run(Lab lab) throws Exception;
  }

  @Test
  void aBookingServesThePeakAndTakesFromTrainingOnlyWhatThePeakNeeds() throws Exception {
    var all = List.of(booked(), preempted(), reserved());

    System.out.println(MorningRecording.table(all));
    var file = Replica.logs().resolve("mornings.svg");
    Files.writeString(file, MorningChart.svg(all));
    System.out.println("Drawn: " + file);
    var booked = all.get(0);
    var preempted = all.get(1);
    var reserved = all.get(2);
    assertThat(booked.longestBinding()).isLessThanOrEqualTo(Duration.ofSeconds(1));
    assertThat(booked.withNotice()).isPositive();
    assertThat(booked.withoutNotice()).isZero();
    assertThat(booked.overloadedSeconds()).isLessThan(preempted.overloadedSeconds());
    assertThat(booked.trainingCardHours()).isGreaterThan(reserved.trainingCardHours());
    assertThat(preempted.withoutNotice()).isPositive();
    assertThat(reserved.withoutNotice()).isZero();
  }

  private static MorningRecording booked() throws Exception {
    try (var cluster = ExtenderCluster.start(NODES)) {
      var lab = cluster.lab();
      for (var kind : List.of("gpuqueues", "gpubookings")) {
        var file = "charts/prescale/crds/%s.placement.prescale.io.yaml".formatted(kind);
        lab.apply(Files.readString(Checkout.root().resolve(file)));
      }
      lab.awaitDefinitions();
      onlyHygon(lab);
      lab.apply(
          queue("serving", "{guarantee: %d}".formatted(PeakMorning.PEAK))
              + LentCards.lender(GRACE.toSeconds() + "s"));
      try (var _ = cluster.extender().start("MorningsLabIT-extender");
          var client = LabObjects.client(lab)) {
        var recording =
            morning(
                "Booked, with notice",
                lab,
                client,
                service(SHARED, "serviceAccountName: default")
                    + training(SHARED, "serviceAccountName: default"),
                BORROWED,
                it -> it.apply(booking()));
        cluster.assertNothingIsDoubleBooked();
        return recording;
      }
    }
  }

  private static void onlyHygon(Lab lab) throws IOException, InterruptedException {
    var others = new ArrayList<>(List.of("delete", "node"));
    for (var vendor : HamiVendor.values()) {
      for (int node = 0; node < NODES && vendor != HamiVendor.HYGON; node++) {
        others.add(vendor.node(node));
      }
    }
    lab.kubectl(others.toArray(String[]::new));
  }

  /** By the scheduler as Kubernetes has it. */
  private static MorningRecording preempted() throws Exception {
    return stock(
        "Preempted at creation",
        """
        apiVersion: scheduling.k8s.io/v1
        kind: PriorityClass
        metadata: {name: serving}
        value: 1000
        """,
        service(WHOLE, "priorityClassName: serving")
            + training(WHOLE, "serviceAccountName: default"),
        BORROWED);
  }

  private static MorningRecording reserved() throws Exception {
    return stock(
        "Reserved for the peak",
        "",
        service(WHOLE, "nodeSelector: {lab/pool: serving}")
            + training(WHOLE, "nodeSelector: {lab/pool: training}"),
        PeakMorning.PEAK);
  }

  private static MorningRecording stock(
      String name, String before, String workloads, int trainingPods) throws Exception {
    try (var lab = Lab.start("--nodes=" + NODES, "--gpus-per-node=4", "--pod-start-delay=1s");
        var client = LabObjects.client(lab)) {
      if (!before.isEmpty()) {
        lab.apply(before);
      }
      var nodes = client.nodes().list().getItems();
      for (int i = 0; i < nodes.size(); i++) {
        lab.kubectl(
            "label",
            "node",
            nodes.get(i).getMetadata().getName(),
            "lab/pool=" + (i < NODES / 2 ? "serving" : "training"));
      }
      return morning(name, lab, client, workloads, trainingPods, _ -> {});
    }
  }

  /** Fills the cards, lets the morning pass, and waits until training has its cards again. */
  private static MorningRecording morning(
      String name,
      Lab lab,
      KubernetesClient client,
      String workloads,
      int trainingPods,
      Preparation preparation)
      throws Exception {
    try (var watch = new MorningWatch(client, GRACE, CLOCK)) {
      lab.apply(workloads);
      awaitTraining(watch, trainingPods);
      watch.begin();
      var start = CLOCK.instant();
      preparation.run(lab);
      var samples = new ArrayList<MorningRecording.Sample>();
      int replicas = PeakMorning.TROUGH;
      var since = Duration.ZERO;
      while (since.compareTo(PeakMorning.LENGTH) < 0) {
        int wanted = PeakMorning.wanted(since);
        if (wanted != replicas) {
          client.apps().deployments().inNamespace("default").withName("chat").scale(wanted);
          replicas = wanted;
        }
        watch.end();
        samples.add(watch.sample(since));
        Thread.sleep(200);
        since = Duration.between(start, CLOCK.instant());
      }
      assertThat(watch.boundReplicas())
          .isGreaterThanOrEqualTo(PeakMorning.PEAK - PeakMorning.TROUGH);
      var recording =
          new MorningRecording(
              name, samples, watch.longestBinding(), watch.evictions(true), watch.evictions(false));
      awaitTraining(watch, trainingPods);
      return recording;
    }
  }

  private static void awaitTraining(MorningWatch watch, int pods) {
    patiently()
        .atMost(UNTIL_TRIED_AGAIN.multipliedBy(2))
        .untilAsserted(
            () -> {
              watch.end();
              assertThat(watch.trainingPods()).isEqualTo(pods);
              assertThat(watch.replicas()).isEqualTo(PeakMorning.TROUGH);
            });
  }

  private static String service(String limits, String more) {
    return """
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: chat, namespace: default}
    spec:
      replicas: %d
      selector: {matchLabels: {app: chat}}
      template:
        metadata:
          labels: {app: chat, gpu.prescale.io/queue: serving}
          annotations: {lab.prescale.io/pod-start-delay: %ds}
        spec:
          terminationGracePeriodSeconds: 1
          %s
          containers: [{name: main, image: model, resources: {limits: {%s}}}]
    """
        .formatted(PeakMorning.TROUGH, PeakMorning.COLD_START.toSeconds(), more, limits);
  }

  /** Jobs of two pods each, which do not end, and write their state before they go. */
  private static String training(String limits, String more) {
    var text = new StringBuilder();
    for (int job = 0; job < JOBS; job++) {
      text.append(
          """
          ---
          apiVersion: batch/v1
          kind: Job
          metadata: {name: train-%d, namespace: default}
          spec:
            parallelism: 2
            completions: 2
            backoffLimit: 1000
            template:
              metadata:
                labels: {app: train, gpu.prescale.io/queue: training}
                annotations: {lab/keeps-running: "true"}
                finalizers: [%s]
              spec:
                restartPolicy: Never
                terminationGracePeriodSeconds: 30
                %s
                containers: [{name: main, image: model, resources: {limits: {%s}}}]
          """
              .formatted(job, MorningWatch.STATE, more, limits));
    }
    return text.toString();
  }

  private static String booking() {
    return """
    apiVersion: placement.prescale.io/v1alpha1
    kind: GpuBooking
    metadata: {name: chat, namespace: default}
    spec:
      selector: {app: chat}
      template:
        metadata: {labels: {gpu.prescale.io/queue: serving, app: chat}}
        spec: {containers: [{name: main, image: model, resources: {limits: {%s}}}]}
      needs: %s
      shortagePrice: 200
    """
        .formatted(SHARED, PeakMorning.needs(CLOCK.instant()));
  }
}
