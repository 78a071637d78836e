package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.Checkout;
import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.BreakerStatus;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.LeadTimeSource;
import io.prescale.controller.api.v1alpha1.LeadTimeStatus;
import io.prescale.controller.api.v1alpha1.MetricStatus;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.RolloutStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** The custom resource definition in a real API server: what it accepts, fills in and refuses. */
class CrdLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String METRIC =
      "{name: requests, preset: vllm, target: {averageValue: \"40\"}}";

  private static @Nullable Lab lab;

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    lab = Lab.start("--nodes=0");
    var file = "charts/prescale/crds/predictivehpas.autoscaling.prescale.io.yaml";
    lab().apply(Files.readString(Checkout.root().resolve(file)));
    lab()
        .kubectl(
            "wait", "crd/predictivehpas.autoscaling.prescale.io", "--for=condition=Established");
  }

  @AfterAll
  static void stop() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void fillsInWhatIsLeftOut() throws Exception {
    lab().apply(manifest("least", "metrics", "[" + METRIC + "]"));

    var spec = JSON.readTree(lab().kubectl("get", "phpa", "least", "-o", "json")).get("spec");
    assertThat(spec.toString())
        .isEqualTo(
            JSON.readTree(
                    """
                    {"fallback": {"ttl": "15m", "utilization": "80%"},
                     "forecast":
                       {"history": "14d", "models": ["Auto"], "step": "1m", "timeZone": "UTC"},
                     "leadTime": "auto",
                     "maxReplicas": 10,
                     "metrics":
                       [{"name": "requests", "preset": "vllm", "target": {"averageValue": "40"}}],
                     "minReplicas": 1,
                     "mode": "Shadow",
                     "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "chat"},
                     "scaleThrough": "PrescaleHPA"}
                    """)
                .toString());
  }

  @Test
  void explainsItsFields() throws Exception {
    // The API server publishes its schema a little after the definition is established.
    patiently()
        .untilAsserted(
            () ->
                assertThat(lab().kubectl("explain", "phpa.spec"))
                    .contains("GROUP:      autoscaling.prescale.io", "KIND:       PredictiveHPA")
                    .contains(
                        "maxReplicas\t<integer> -required-",
                        "scaleTargetRef\t<Object> -required-"));
    assertThat(lab().kubectl("explain", "phpa.spec.metrics.target.averageValue"))
        .contains("Demand that one ready replica can carry");
    assertThat(lab().kubectl("explain", "phpa.spec.mode"))
        .contains("ENUM:\n    Active\n    Shadow\n")
        .contains("Shadow: forecasts, records");
  }

  @Test
  void takesAndGivesBackAWholeStatus() throws Exception {
    lab().apply(manifest("served", "metrics", "[" + METRIC + "]"));
    var at = Instant.parse("2026-11-21T12:00:00Z");
    var metric =
        new MetricStatus(
            "requests",
            "40",
            "390",
            "512500m",
            "520",
            at,
            120L,
            900L,
            "400",
            null,
            List.of(new PlanPoint(at.plusSeconds(60), "560")),
            0.42,
            0.1,
            null,
            new BreakerStatus(BreakerState.Closed, "better than last week by 42 %"),
            at,
            null,
            null);
    var condition =
        new StatusCondition(
            ConditionType.Ready, ConditionStatus.True, 1L, at, ConditionReason.Deciding, "decides");
    var status =
        new PredictiveHPAStatus(
            1L,
            Mode.Shadow,
            "Deployment/chat",
            10,
            10,
            0,
            13,
            0.42,
            new LeadTimeStatus(312, LeadTimeSource.Measured, 7, at, null),
            List.of(metric),
            null,
            List.of(),
            List.of(condition),
            null,
            null,
            "500m",
            new RolloutStatus("7d4b9c", at));

    try (var client = LabObjects.client(lab())) {
      var resource =
          client.resources(PredictiveHPA.class).inNamespace("default").withName("served");
      resource.editStatus(
          found -> {
            found.setStatus(status);
            return found;
          });

      assertThat(resource.get().getStatus()).isEqualTo(status);
      assertThat(resource.get().getSpec().metrics().getFirst().averageValue()).hasToString("40");
    }
    assertThat(lab().kubectl("get", "phpa", "served").lines().toList())
        .satisfiesExactly(
            heading ->
                assertThat(heading.split(" +"))
                    .containsExactly(
                        "NAME",
                        "TARGET",
                        "MODE",
                        "THROUGH",
                        "READY",
                        "CURRENT",
                        "PREDICTED",
                        "LEAD(S)",
                        "SKILL",
                        "AGE"),
            row ->
                assertThat(row.split(" +"))
                    .startsWith(
                        "served",
                        "Deployment/chat",
                        "Shadow",
                        "PrescaleHPA",
                        "True",
                        "10",
                        "13",
                        "312",
                        "0.42"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvFileSource(
      resources = "accepted-fields.csv",
      delimiter = '|',
      quoteCharacter = '`',
      numLinesToSkip = 1)
  void accepts(String field, String value) throws Exception {
    assertThat(dryRun(manifest("fine", field, value))).contains("fine");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvFileSource(
      resources = "refused-fields.csv",
      delimiter = '|',
      quoteCharacter = '`',
      numLinesToSkip = 1)
  void refusesWithTheFieldAndTheRemedy(String field, String value, String where, String remedy)
      throws Exception {
    var manifest = manifest("wrong", field, value);

    assertThatThrownBy(() -> dryRun(manifest))
        .hasMessageContaining(where)
        .hasMessageContaining(remedy);
  }

  @Test
  void refusesANameThatIsTooLongForALabel() {
    var manifest = manifest("a".repeat(64), "metrics", "[" + METRIC + "]");

    assertThatThrownBy(() -> dryRun(manifest))
        .hasMessageContaining("longer than the 63 characters of a label; shorten it");
  }

  /**
   * A resource that is fine but for one field of its spec, whose value is written in flow style.
   */
  private static String manifest(String name, String field, String value) {
    var spec = new LinkedHashMap<String, String>();
    spec.put("scaleTargetRef", "{apiVersion: apps/v1, kind: Deployment, name: chat}");
    spec.put("maxReplicas", "10");
    spec.put("metrics", "[" + METRIC + "]");
    spec.put(field, value);
    var manifest =
        new StringBuilder(
            """
            apiVersion: autoscaling.prescale.io/v1alpha1
            kind: PredictiveHPA
            metadata: {name: %s}
            spec:
            """
                .formatted(name));
    spec.forEach(
        (key, written) -> {
          if (!written.equals("absent")) {
            manifest.append("  ").append(key).append(": ").append(written).append('\n');
          }
        });
    return manifest.toString();
  }

  @Test
  void acceptsEveryPredictiveHpaOfTheDocumentation() throws Exception {
    var accepted = new ArrayList<String>();
    for (var manifest : DocumentedManifests.of("autoscaling.prescale.io")) {
      accepted.add(dryRun(manifest));
    }
    assertThat(accepted)
        .hasSizeGreaterThan(3)
        .allMatch(it -> it.contains("created (server dry run)"));
  }

  private static String dryRun(String manifest) throws IOException, InterruptedException {
    var file = Files.createTempFile("phpa", ".yaml");
    try {
      Files.writeString(file, manifest);
      return lab().kubectl("create", "--dry-run=server", "-f", file.toString());
    } finally {
      Files.delete(file);
    }
  }

  private static Lab lab() {
    if (lab == null) {
      throw new IllegalStateException("the laboratory was not started");
    }
    return lab;
  }
}
