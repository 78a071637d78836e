package io.prescale.controller.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.ThreadMXBean;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A spec or status that the API server has taken and Java cannot read. */
class UnreadableSpecTest {
  private final KubernetesSerialization json = new KubernetesSerialization();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "metrics: [{name: a, preset: vllm, target: {averageValue: 1}}, {name: m, native: {type:"
            + " Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: ''}}}}]"
            + " | spec.metrics[1].native.resource.target.averageValue is \"\", which cannot be"
            + " read; write it as `kubectl explain"
            + " phpa.spec.metrics.native.resource.target.averageValue` says",
        "forecast: {events: [{name: e, start: '2026-01-01T00:00:00+20:00', end:"
            + " '2026-01-02T00:00:00Z'}]} | spec.forecast.events[0].start is"
            + " \"2026-01-01T00:00:00+20:00\", which cannot be read",
        "forecast: {events: [{name: e, start: '2026-01-01T00:00:00.1234567891Z', end:"
            + " '2026-01-02T00:00:00Z'}]} | spec.forecast.events[0].start is"
            + " \"2026-01-01T00:00:00.1234567891Z\"",
        "mode: Passive | spec.mode is \"Passive\", which cannot be read",
        "minReplicas: 7 | spec: spec.minReplicas must be at least 0, spec.maxReplicas at least 1,"
            + " and they must ascend: 7, 3; correct it",
        "metrics: [null] | spec is",
      })
  void namesTheFieldItsValueAndTheRemedy(String field, String problem) {
    var resource = read(field);

    assertThat(resource.getSpec()).isNull();
    assertThat(resource.unreadable().orElseThrow()).startsWith(problem.strip());
    assertThat(resource.qualifiedName()).isEqualTo("team/chat");
    assertThat(resource.getMetadata().getFinalizers()).containsExactly("keep");
  }

  @Test
  void aCopyHasTheSpecAsItWasWritten() {
    var resource = read("mode: Passive");

    for (var copy : List.of(json.clone(resource), resource.copy())) {
      assertThat(copy.unreadable()).isEqualTo(resource.unreadable());
      assertThat(json.convertValue(copy, JsonNode.class).at("/spec/mode").asText())
          .isEqualTo("Passive");
      assertThat(json.convertValue(copy, JsonNode.class).at("/spec/maxReplicas").asInt())
          .isEqualTo(3);
    }
  }

  @Test
  void whatIsDoneToTheMetadataOfACopyIsNotDoneToTheOriginal() {
    var resource = read("mode: Passive");

    var copy = resource.copy();
    assertThat(json.asJson(copy)).isEqualTo(json.asJson(resource));
    copy.addFinalizer("example.com/another");
    copy.getMetadata().setResourceVersion(null);

    assertThat(resource.getMetadata().getFinalizers()).containsExactly("keep");
    assertThat(copy.getMetadata().getFinalizers()).contains("example.com/another");
  }

  @Test
  void aSpecThatCanBeReadIsWrittenOnce() {
    var resource = read("mode: Active");

    assertThat(resource.unreadable()).isEmpty();
    assertThat(json.asJson(json.clone(resource))).containsOnlyOnce("\"spec\"");
    assertThat(json.clone(resource)).isEqualTo(resource);
  }

  @Test
  void aStatusKeepsWhatCanBeRead() {
    var resource =
        read(
            """
            mode: Active
            status:
              currentReplicas: 4
              skill: much
              metrics:
              - {name: a, served: "7", servedAt: "2026-01-01T00:00:00+20:00"}
              - {name: b, served: "8", servedAt: "2026-01-01T00:00:00Z"}
              conditions:
              - {type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z", reason: OfALaterVersion, message: m}
              - {type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z", reason: Deciding, message: m}
            """);

    assertThat(resource.getSpec()).isNotNull();
    assertThat(resource.getStatus().currentReplicas()).isEqualTo(4);
    assertThat(resource.getStatus().skill()).isNull();
    assertThat(resource.getStatus().metrics()).extracting(MetricStatus::name).containsExactly("b");
    assertThat(resource.getStatus().conditions())
        .extracting(StatusCondition::reason)
        .containsExactly(ConditionReason.Deciding);
  }

  /** Each replica reads all objects at its start, and most of one is who manages which field. */
  @Test
  void whatPrescaleNeverReadsIsNotEvenParsed() {
    var managed = "{\"f:spec\":{\"f:a\":{}}},".repeat(50_000);
    var manifest =
        """
        {"apiVersion":"autoscaling.prescale.io/v1alpha1","kind":"PredictiveHPA",
         "metadata":{"managedFields":[%s{}],"name":"chat","namespace":"team"},"status":{"currentReplicas":4}}
        """
            .formatted(managed);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    json.unmarshal(manifest, PredictiveHPA.class); // its classes are loaded

    long before = threads.getCurrentThreadAllocatedBytes();
    var resource = json.unmarshal(manifest, PredictiveHPA.class);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(resource.qualifiedName()).isEqualTo("team/chat");
    assertThat(resource.getStatus().currentReplicas()).isEqualTo(4);
    assertThat(allocated).as("of %d", manifest.length()).isLessThan(5_000_000);
  }

  /** A tenant may write 256 KiB of annotations, and each replica keeps every object. */
  @Test
  void whatPrescaleNeverReadsHoldsNoMemory() {
    var much = "x".repeat(100_000);
    var manifest =
        """
        apiVersion: autoscaling.prescale.io/v1alpha1
        kind: PredictiveHPA
        metadata:
          {namespace: team, name: chat, uid: u, resourceVersion: "7", generation: 2, finalizers: [keep],
           annotations: {note: %1$s}, labels: {note: %1$s}, managedFields: [{manager: %1$s}]}
        spec:
          scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
          maxReplicas: 3
          metrics:
          - name: m
            native: {type: External, external: {metric: {name: q, selector: {matchLabels: {a: %2$s}}}}}
        """;

    var brief = json.unmarshal(manifest.formatted(much, "b"), PredictiveHPA.class);
    assertThat(brief.toString()).hasSizeLessThan(2_000);
    assertThat(brief.getMetadata().getUid()).isEqualTo("u");
    assertThat(brief.getMetadata().getResourceVersion()).isEqualTo("7");
    assertThat(brief.getMetadata().getGeneration()).isEqualTo(2);
    assertThat(brief.getMetadata().getFinalizers()).containsExactly("keep");
    var many = "finalizers: [keep" + ", of.others/finalizer".repeat(5_000) + "]";
    var owners = ", ownerReferences: [" + "{kind: Pod, name: p, uid: u},".repeat(5_000) + "]";
    var crowded =
        json.unmarshal(
            manifest.formatted("b", "b").replace("finalizers: [keep]", many + owners),
            PredictiveHPA.class);
    assertThat(crowded.getMetadata().getFinalizers()).hasSize(64).startsWith("keep");
    assertThat(crowded.toString()).hasSizeLessThan(4_000);

    var large = json.unmarshal(manifest.formatted("note", much), PredictiveHPA.class);
    assertThat(large.unreadable().orElseThrow())
        .matches("spec has 100\\d{3} characters of JSON; write at most 65536");
    assertThat(json.asJson(large)).hasSizeLessThan(2_000);
    assertThat(json.clone(large).unreadable()).isEqualTo(large.unreadable());
  }

  /** Else it would be added again for ever, or another one removed in its place. */
  @Test
  void ownFinalizerIsFoundInItsPlaceBehindManyOthers() {
    var others = "of.others/finalizer, ".repeat(2_000);
    var resource =
        json.unmarshal(
            "apiVersion: autoscaling.prescale.io/v1alpha1\nkind: PredictiveHPA\nmetadata: {name:"
                + " chat, finalizers: [%1$s%2$s, %1$slast]}"
                    .formatted(others, PredictiveHPA.FINALIZER),
            PredictiveHPA.class);

    for (var each : List.of(resource, json.clone(resource))) {
      assertThat(each.getMetadata().getFinalizers())
          .hasSize(2_001)
          .startsWith("of.others/finalizer")
          .endsWith("-", PredictiveHPA.FINALIZER);
    }
  }

  /** An object with these lines in its spec, those without indentation after it. */
  private PredictiveHPA read(String lines) {
    int status = lines.indexOf("status:\n");
    var spec = status < 0 ? lines : lines.substring(0, status);
    return json.unmarshal(
        """
        apiVersion: autoscaling.prescale.io/v1alpha1
        kind: PredictiveHPA
        metadata: {namespace: team, name: chat, finalizers: [keep]}
        spec:
          scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
          maxReplicas: 3
          %s
        %s
        """
            .formatted(spec.strip(), status < 0 ? "" : lines.substring(status)),
        PredictiveHPA.class);
  }
}
