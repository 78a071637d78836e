package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.demand.prometheus.SelfSigned;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prescale before KEDA's metrics server, which served the cluster's metrics first, while HPAs read
 * what KEDA measures, what KEDA asks Prescale for, and what Prescale serves itself.
 */
class KedaPassThroughLabIT {
  private static final String HOST = "keda-metrics-apiserver.keda.svc";
  private static final String KEDAS = "keda-metrics-apiserver";
  private static final String OF_BOTH = "scaledobject.keda.sh/name=both";
  private static final String MEASURED = SharedMetricsApi.metric("both", "s0-prometheus", OF_BOTH);
  private static final String ASKED = SharedMetricsApi.metric("both", "s1-requests", OF_BOTH);
  private static final String OURS =
      SharedMetricsApi.metric("both", "requests", "predictivehpa=ours");

  @Test
  void noReadFailsWhileTheApiIsTakenOverFromKedaAndGivenBack(@TempDir Path folder)
      throws Exception {
    var serving =
        SelfSigned.create(folder, "prescale", "dns:localhost,dns:prescale.prescale.svc", "EC");
    try (var gauges = Gauges.start();
        var lab = GaugedLab.lab(folder, gauges, "3s")) {
      gauges.set("load_both", 12);
      gauges.set("load_measured", 20);
      gauges.set("load_ours", 12);
      var prescale = PrescaleInLab.install(lab, folder);
      int port = PrescaleInLab.freePort();
      try (var keda = KedaInLab.start(lab, folder);
          var beside = keda.ask(prescale, serving, port);
          var autoscaler = new SharedMetricsApi(lab).autoscaler()) {
        var api = new SharedMetricsApi(lab);
        var objects = new KedaObjects(lab, serving, keda.certificate(), port);
        objects.workload("both");
        var triggers = objects.prometheusThen("load_measured", "type: external");
        objects.scaledObject("both", triggers, "", "");
        patiently().until(() -> objects.replicas("both"), replicas -> replicas == 5);
        int failedBefore = api.failedReads("both", "keda-hpa-both");

        try (var measured = MetricReads.start(autoscaler, MEASURED);
            var asked = MetricReads.start(autoscaler, ASKED);
            var passing = SharedMetricsApi.passing(prescale, folder, HOST, both(serving, keda))) {
          patiently().until(api::holder, "prescale"::equals);
          lab.kubectl("create", "deployment", "ours", "--namespace=both", "--image=model");
          lab.apply(ours());
          patiently().until(() -> api.active("both"), active -> active == 2);
          patiently().until(() -> replicas(objects), replicas -> replicas == 5); // by KEDA's metric
          int failedAtFirst = api.failedReads("both", "prescale-ours"); // before its first value
          try (var ours = MetricReads.start(autoscaler, OURS)) {
            gauges.set("load_measured", 24);
            patiently().until(() -> replicas(objects), replicas -> replicas == 6);
            gauges.set("load_ours", 32);
            patiently().until(() -> replicas(objects), replicas -> replicas == 8);
            patiently().until(ours::count, count -> count > 100);
            assertThat(ours.failures()).isEmpty();
            assertThat(api.failedReads("both", "prescale-ours")).isEqualTo(failedAtFirst);
          }
          gauges.set("load_both", 28);
          patiently().until(() -> objects.replicas("both"), replicas -> replicas == 7);

          assertThat(prescale.run("give-back"))
              .contains("keda/" + KEDAS + " serves external metrics again");
          assertThat(api.holder()).isEqualTo(KEDAS);
          gauges.set("load_both", 36);
          patiently().until(() -> objects.replicas("both"), replicas -> replicas == 9);
          int before = asked.count();
          patiently().until(asked::count, count -> count > before + 100);

          assertThat(api.holder()).as("replicas leave it").isEqualTo(KEDAS);
          System.out.printf(
              "%d reads of what KEDA measures, %d of what it asks Prescale for%n",
              measured.count(), asked.count());
          assertThat(measured.failures()).isEmpty();
          assertThat(asked.failures()).isEmpty();
          assertThat(api.failedReads("both", "keda-hpa-both")).isEqualTo(failedBefore);
          assertThat(List.of(passing, beside)).allMatch(it -> it.process().isAlive());
        }
      }
    }
  }

  /** That a replica takes the API over and answers KEDA's operator too, as the chart allows. */
  private static String[] both(SelfSigned serving, KedaInLab keda) throws IOException {
    return new String[] {
      "--tls-cert-file=" + serving.certificate(),
      "--tls-key-file=" + serving.key(),
      "--tls-ca-file=" + serving.certificate(),
      "--keda-port=" + PrescaleInLab.freePort(),
      "--keda-ca-file=" + keda.certificate().certificate()
    };
  }

  private static int replicas(KedaObjects objects) throws Exception {
    return objects.get("both", "deployment", "ours").at("/spec/replicas").asInt();
  }

  /** Whose HPA reads a metric of Prescale's and one of KEDA's. */
  private static String ours() {
    return """
    apiVersion: autoscaling.prescale.io/v1alpha1
    kind: PredictiveHPA
    metadata: {name: ours, namespace: both}
    spec:
      scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: ours}
      maxReplicas: 9
      mode: Active
      metrics:
      - name: requests
        prometheus: {query: load_ours}
        target: {averageValue: "4"}
      - name: measured
        native:
          type: External
          external:
            metric: {name: s0-prometheus, selector: {matchLabels: {scaledobject.keda.sh/name: both}}}
            target: {type: AverageValue, averageValue: "4"}
      forecast: {step: 2s, history: 6h}
      fallback: {utilization: 100%}
    """;
  }
}
