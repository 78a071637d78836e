package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.demand.prometheus.SelfSigned;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In one cluster, by one replica: an HPA of Prescale's, one of the user's, and KEDA's. */
class KedaBesideOthersLabIT {
  private static final String HOST = "keda-metrics-apiserver.keda.svc";

  @Test
  void ofThreeWorkloadsWithOneLoadTheSameIsSaidEverywhereAndKedaLearnsANewTarget(
      @TempDir Path folder) throws Exception {
    var serving =
        SelfSigned.create(folder, "prescale", "dns:localhost,dns:prescale.prescale.svc", "EC");
    int port = PrescaleInLab.freePort();
    int metrics = PrescaleInLab.freePort();
    int page = PrescaleInLab.freePort();
    try (var gauges = Gauges.start();
        var cluster = GaugedLab.lab(folder, gauges, "3s")) {
      var prescale = PrescaleInLab.install(cluster, folder);
      try (var keda = KedaInLab.start(cluster, folder);
          var replica =
              SharedMetricsApi.passing(
                  prescale, folder, HOST, options(serving, keda, port, metrics, page))) {
        var lab = new GaugedLab(cluster, gauges, prescale, replica);
        var surfaces = Surfaces.of(lab, metrics, page);
        patiently().until(new SharedMetricsApi(cluster)::holder, "prescale"::equals);
        gauges.set("load_alike", 20);
        for (var way : List.of("PrescaleHPA", "ExistingHPA", "KEDA")) {
          var name = "alike-" + way.toLowerCase(Locale.ROOT);
          lab.workload(name, 1);
          lab.predictiveHpa(name, "Active", "load_alike", "scaleThrough: " + way);
        }
        lab.apply(ExistingHpaLabIT.inGit("alike-existinghpa"));
        new KedaObjects(cluster, serving, keda.certificate(), port)
            .scaledObject("alike-keda", "type: external-push", "", "");
        for (var name : List.of("alike-prescalehpa", "alike-existinghpa", "alike-keda")) {
          patiently().until(() -> lab.replicas(name), replicas -> replicas == 5);
          patiently().until(() -> surfaces.isShown(name));
        }

        patiently()
            .untilAsserted(
                () ->
                    assertThat(surfaces.told("alike-keda"))
                        .isEqualTo(surfaces.told("alike-prescalehpa"))
                        .isEqualTo(surfaces.told("alike-existinghpa"))
                        .contains("wanted=5", "ready=5", "prescale_desired_replicas 5.0"));

        lab.kubectl(
            "patch",
            "phpa",
            "alike-keda",
            "--namespace=alike-keda",
            "--type=json",
            "--patch=[{\"op\":\"replace\",\"path\":\"/spec/metrics/0/target/averageValue\",\"value\":\"5\"}]");
        patiently()
            .until(
                () ->
                    lab.get("alike-keda", "hpa", "keda-hpa-alike-keda")
                        .at("/spec/metrics/0/external/target/averageValue")
                        .asText(),
                "5"::equals); // told by the stream
      }
    }
  }

  private static String[] options(
      SelfSigned serving, KedaInLab keda, int port, int metrics, int page) {
    var options = new ArrayList<>(Surfaces.options(metrics, page));
    options.add("--tls-cert-file=" + serving.certificate());
    options.add("--tls-key-file=" + serving.key());
    options.add("--tls-ca-file=" + serving.certificate());
    options.add("--keda-port=" + port);
    options.add("--keda-ca-file=" + keda.certificate().certificate());
    return options.toArray(String[]::new);
  }
}
