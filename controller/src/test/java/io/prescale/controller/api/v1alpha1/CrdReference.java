package io.prescale.controller.api.v1alpha1;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Generates the reference of PredictiveHPA: a section per object, a row per field. */
public final class CrdReference {
  private static final String HEAD =
      """
      # PredictiveHPA

      <!-- Generated from the types in io.prescale.controller.api.v1alpha1; renew with
      RENEWAL -->

      `autoscaling.prescale.io/v1alpha1`, namespaced, short name `phpa`. Needs Kubernetes 1.30 or later;
      tested on 1.36. `prescale crd` prints the definition; `kubectl explain phpa.spec` shows this reference.

      ```yaml
      apiVersion: autoscaling.prescale.io/v1alpha1
      kind: PredictiveHPA
      metadata:
        name: chat
        namespace: inference
      spec:
        scaleTargetRef:
          apiVersion: apps/v1
          kind: Deployment
          name: chat
        minReplicas: 2
        maxReplicas: 24
        metrics:
        - name: chat-requests
          preset: vllm
          model: meta-llama/Llama-3.1-8B-Instruct
          target:
            averageValue: "180"
      ```

      Durations are a whole number and one unit: `90s`, `5m`, `1h`, `14d`. Quantities use the Kubernetes
      format: `40`, `"2.5"`, `500m`. Credentials come from Secrets in the resource's own namespace.
      """;

  private static final String QUEUE_HEAD =
      """
      # GpuQueue

      <!-- Generated from the types in io.prescale.controller.api.v1alpha1; renew with
      RENEWAL -->

      `placement.prescale.io/v1alpha1`, cluster-scoped, short name `gq`. Needs Kubernetes 1.30 or later; tested on
      1.36. How queues act: [queues](../queues.md). `kubectl explain gq.spec` shows this reference.

      ```yaml
      apiVersion: placement.prescale.io/v1alpha1
      kind: GpuQueue
      metadata:
        name: research
      spec:
        guarantee: 16
        limit: 40
        weight: 2
      ```

      Amounts are cards in the Kubernetes format: `4`, `"2.5"`, `500m`.
      """;

  private static final String PLAN_HEAD =
      """
      # CapacityPlan

      <!-- Generated from the types in io.prescale.controller.api.v1alpha1; renew with
      RENEWAL -->

      `placement.prescale.io/v1alpha1`, cluster-scoped. The controller writes the only one, `cluster`, when it
      runs with `--plan`: [plan](../plan.md). `kubectl explain capacityplan.status` shows this reference.
      """;

  private static final String BOOKING_HEAD =
      """
      # GpuBooking

      <!-- Generated from the types in io.prescale.controller.api.v1alpha1; renew with
      RENEWAL -->

      `placement.prescale.io/v1alpha1`, namespaced, short name `gb`. Needs Kubernetes 1.30 or later; tested on
      1.36. What becomes of it: [bookings](../bookings.md). `kubectl explain gb.spec` shows this reference.

      ```yaml
      apiVersion: placement.prescale.io/v1alpha1
      kind: GpuBooking
      metadata: {name: llm-a, namespace: models}
      spec:
        selector: {app: llm-a}
        template:
          metadata: {labels: {app: llm-a}}
          spec:
            containers:
              - name: server
                resources: {limits: {nvidia.com/gpu: "1", nvidia.com/gpumem: "40000"}}
        needs:
          - {from: "2026-12-01T08:50:00Z", until: "2026-12-01T10:30:00Z", replicas: 6, percent: 90}
        shortagePrice: 20
      ```
      """;

  private CrdReference() {}

  /** The reference of PredictiveHPA as Markdown. */
  public static String markdown() {
    return text(HEAD, GeneratedCrd.yaml(), conditions());
  }

  /** The reference of GpuQueue as Markdown. */
  public static String queues() {
    return text(
        QUEUE_HEAD,
        GeneratedCrd.queues(),
        row(QueueCondition.Type.Ready.name(), Arrays.stream(QueueCondition.Reason.values())));
  }

  /** The reference of GpuBooking as Markdown. */
  public static String bookings() {
    return text(
        BOOKING_HEAD,
        GeneratedCrd.bookings(),
        row(BookingCondition.Type.Ready.name(), Arrays.stream(BookingCondition.Reason.values())));
  }

  /** The reference of CapacityPlan as Markdown. */
  public static String plans() {
    var text = new StringBuilder(PLAN_HEAD.replace("RENEWAL", GeneratedCrd.RENEWAL));
    section("status", Schemas.at(root(GeneratedCrd.plans()), "status"), text);
    return text.toString();
  }

  private static JSONSchemaProps root(String yaml) {
    var definition = Serialization.unmarshal(yaml, CustomResourceDefinition.class);
    return definition.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
  }

  private static String text(String head, String yaml, String conditions) {
    var root = root(yaml);
    var text = new StringBuilder(head.replace("RENEWAL", GeneratedCrd.RENEWAL));
    section("spec", Schemas.at(root, "spec"), text);
    section("status", Schemas.at(root, "status"), text);
    text.append("\n## Conditions\n\n");
    text.append("Reasons are from a closed list; the message has details and a remedy.\n\n");
    text.append("| Condition | Reasons |\n|---|---|\n");
    text.append(conditions);
    return text.toString();
  }

  private static void section(String path, JSONSchemaProps object, StringBuilder text) {
    text.append("\n## `").append(path).append("`\n\n");
    if (object.getDescription() != null) {
      text.append(cell(object.getDescription())).append("\n\n");
    }
    text.append("| Field | Type | Default | |\n|---|---|---|---|\n");
    object
        .getProperties()
        .forEach((name, field) -> text.append(row(name, field, object.getRequired())));
    object
        .getProperties()
        .forEach(
            (name, field) -> {
              var inner = isList(field) ? field.getItems().getSchema() : field;
              if (inner.getProperties() != null && !inner.getProperties().isEmpty()) {
                section(path + "." + name + (isList(field) ? "[]" : ""), inner, text);
              }
            });
  }

  private static String row(String name, JSONSchemaProps field, List<String> required) {
    var limits = limits(field);
    if (required != null && required.contains(name)) {
      limits.addFirst("required");
    }
    return "| `%s` | %s | %s | %s%s |\n"
        .formatted(
            name,
            type(field),
            field.getDefault() == null ? "" : '`' + field.getDefault().toString() + '`',
            cell(field.getDescription()),
            limits.isEmpty() ? "" : " *" + cell(String.join("; ", limits)) + "*");
  }

  private static String type(JSONSchemaProps field) {
    if (Boolean.TRUE.equals(field.getXKubernetesIntOrString())) {
      return "quantity";
    }
    if (isList(field)) {
      return "list of " + type(field.getItems().getSchema());
    }
    return "date-time".equals(field.getFormat()) ? "time" : field.getType();
  }

  private static List<String> limits(JSONSchemaProps field) {
    var limits = new ArrayList<String>();
    var values = isList(field) ? field.getItems().getSchema().getEnum() : field.getEnum();
    if (values != null && !values.isEmpty()) {
      limits.add(values.stream().map(it -> it.asText()).collect(Collectors.joining(" or ")));
    }
    if (field.getMinimum() != null) {
      limits.add("at least " + number(field.getMinimum()));
    }
    if (field.getMaximum() != null && field.getMaximum() < Integer.MAX_VALUE) {
      limits.add("at most " + number(field.getMaximum()));
    }
    if (field.getMaxItems() != null) {
      limits.add("at most " + field.getMaxItems() + " items");
    }
    return limits;
  }

  private static boolean isList(JSONSchemaProps field) {
    return "array".equals(field.getType());
  }

  private static String number(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** The reasons that a condition of this type may have. */
  static List<ConditionReason> reasons(ConditionType type) {
    return Arrays.stream(ConditionReason.values())
        .filter(reason -> reason.type() == null || reason.type() == type)
        .toList();
  }

  private static String conditions() {
    var rows = new StringBuilder();
    for (var type : ConditionType.values()) {
      rows.append(row(type.name(), reasons(type).stream()));
    }
    return rows.toString();
  }

  private static String row(String type, Stream<? extends Enum<?>> reasons) {
    return "| `%s` | %s |\n"
        .formatted(
            type,
            reasons.map(reason -> '`' + reason.name() + '`').collect(Collectors.joining(", ")));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }
}
