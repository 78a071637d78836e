package io.prescale.controller.lab;

import static io.prescale.controller.lab.MorningWorkloads.BORROWED;
import static io.prescale.controller.lab.MorningWorkloads.NODES;
import static io.prescale.controller.lab.MorningWorkloads.SHARED;
import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.UNTIL_TRIED_AGAIN;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.Checkout;
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
  private static final Duration GRACE = Duration.ofSeconds(15);

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
    assertThat(booked.boundAtOnce()).isEqualTo(booked.bindings().size());
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
      MorningWorkloads.onlyHygon(lab);
      lab.apply(MorningWorkloads.queues(PeakMorning.PEAK, GRACE));
      try (var _ = cluster.extender().start("MorningsLabIT-extender");
          var client = LabObjects.client(lab)) {
        var recording =
            morning(
                "Booked, with notice",
                lab,
                client,
                MorningWorkloads.service(SHARED, "serviceAccountName: default")
                    + MorningWorkloads.training(SHARED, "serviceAccountName: default"),
                BORROWED,
                it -> it.apply(booking()));
        cluster.assertNothingIsDoubleBooked();
        return recording;
      }
    }
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
        MorningWorkloads.service(WHOLE, "priorityClassName: serving")
            + MorningWorkloads.training(WHOLE, "serviceAccountName: default"),
        BORROWED);
  }

  private static MorningRecording reserved() throws Exception {
    return stock(
        "Reserved for the peak",
        "",
        MorningWorkloads.service(WHOLE, "nodeSelector: {lab/pool: serving}")
            + MorningWorkloads.training(WHOLE, "nodeSelector: {lab/pool: training}"),
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
        samples.add(watch.sample(since, PeakMorning.needed(since)));
        Thread.sleep(200);
        since = Duration.between(start, CLOCK.instant());
      }
      assertThat(watch.bindings())
          .hasSizeGreaterThanOrEqualTo(PeakMorning.PEAK - PeakMorning.TROUGH);
      var recording =
          new MorningRecording(
              name, samples, watch.bindings(), watch.evictions(true), watch.evictions(false));
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
