package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRuleBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Descriptions and limits of the fields that a PredictiveHPA shares with the HPA (autoscaling/v2),
 * whose Java types have none. The limits are the API server's own for an HPA, so that a value it
 * would reject later is rejected at once.
 */
final class HpaFields {
  private static final Map<String, String> BEHAVIOR =
      Map.ofEntries(
          Map.entry("scaleUp", "How the HPA adds replicas."),
          Map.entry("scaleDown", "How the HPA removes replicas."),
          Map.entry(
              "policies", "Limits on the change within a period; by default those of the HPA."),
          Map.entry("periodSeconds", "Length of the period in seconds, at most half an hour."),
          Map.entry("type", "Unit of value: Pods, or Percent of the replicas."),
          Map.entry("value", "Maximum change within the period."),
          Map.entry(
              "selectPolicy", "Which of several policies applies: Max, Min, or Disabled for none."),
          Map.entry(
              "stabilizationWindowSeconds",
              "Length in seconds of the window from which the most cautious recommendation is"
                  + " used."),
          Map.entry(
              "tolerance",
              "Deviation from the target that the HPA ignores, such as 0.1; from Kubernetes 1.35"
                  + " on."));

  private static final Map<String, String> NATIVE =
      Map.ofEntries(
          Map.entry("type", "Kind of metric, which decides which other field is present."),
          Map.entry("resource", "A resource used by the pods, such as cpu."),
          Map.entry("containerResource", "A resource used by one container of each pod."),
          Map.entry("pods", "A metric of every pod."),
          Map.entry("object", "A metric of another object in the namespace."),
          Map.entry("external", "A metric from outside the cluster."),
          Map.entry("container", "Name of the container."),
          Map.entry("name", "Name of the resource, metric or object."),
          Map.entry("kind", "Kind of the object."),
          Map.entry("apiVersion", "Group and version of the object."),
          Map.entry("describedObject", "The object."),
          Map.entry("metric", "The metric."),
          Map.entry("selector", "Labels that select one of several series."),
          Map.entry("matchLabels", "Labels and their values."),
          Map.entry("matchExpressions", "Requirements on labels, all of which must be met."),
          Map.entry("key", "Name of the label."),
          Map.entry("operator", "In, NotIn, Exists or DoesNotExist."),
          Map.entry("values", "Values of the label, for In and NotIn."),
          Map.entry("target", "The target value of the HPA."),
          Map.entry("averageUtilization", "Mean utilisation in percent of the pods' requests."),
          Map.entry("averageValue", "Mean value per pod."),
          Map.entry("value", "Value of the metric as a whole."));

  private HpaFields() {}

  static void describe(JSONSchemaProps root) {
    var behavior = Schemas.at(root, "spec", "behavior");
    describe(behavior, BEHAVIOR);
    limitRules(Schemas.at(behavior, "scaleUp"));
    limitRules(Schemas.at(behavior, "scaleDown"));
    var passedOn = Schemas.at(root, "spec", "metrics", "[]", "native");
    describe(passedOn, NATIVE);
    limitNative(passedOn);
  }

  private static void describe(JSONSchemaProps schema, Map<String, String> words) {
    if (schema.getProperties() != null) {
      schema
          .getProperties()
          .forEach(
              (name, property) -> {
                property.setDescription(words.get(name));
                describe(property, words);
              });
    }
    if (schema.getItems() != null) {
      describe(schema.getItems().getSchema(), words);
    }
  }

  private static void limitRules(JSONSchemaProps rules) {
    between(Schemas.at(rules, "stabilizationWindowSeconds"), 0, 3600);
    oneOf(Schemas.at(rules, "selectPolicy"), "Max", "Min", "Disabled");
    Schemas.at(rules, "tolerance")
        .setXKubernetesValidations(
            List.of(
                new ValidationRuleBuilder()
                    .withRule(
                        "type(self) == int ? self >= 0 : !self.matches('[eE]....') &&"
                            + " isQuantity(self) && !quantity(self).isLessThan(quantity('0'))")
                    .withMessage(
                        "tolerance must be a quantity of 0 or more; write one such as 0 or 0.05")
                    .build()));
    Schemas.at(rules, "policies").setMaxItems(16L);
    var policy = Schemas.at(rules, "policies", "[]");
    policy.setRequired(List.of("periodSeconds", "type", "value"));
    oneOf(Schemas.at(policy, "type"), "Pods", "Percent");
    between(Schemas.at(policy, "value"), 1, Integer.MAX_VALUE);
    between(Schemas.at(policy, "periodSeconds"), 1, 1800);
  }

  private static void limitNative(JSONSchemaProps passedOn) {
    passedOn.setRequired(List.of("type"));
    oneOf(
        Schemas.at(passedOn, "type"),
        "Resource",
        "ContainerResource",
        "Pods",
        "Object",
        "External");
    passedOn.setXKubernetesValidations(
        List.of(
            new ValidationRuleBuilder()
                .withRule(
                    """
                    has(self.resource) == (self.type == 'Resource') \
                    && has(self.containerResource) == (self.type == 'ContainerResource') \
                    && has(self.pods) == (self.type == 'Pods') \
                    && has(self.object) == (self.type == 'Object') \
                    && has(self.external) == (self.type == 'External')\
                    """)
                .withMessageExpression(
                    "'native.type is ' + self.type + ', and needs exactly the one field for this"
                        + " type; write it as in the metrics of an autoscaling/v2 HPA'")
                .build()));
    for (var kind : List.of("resource", "containerResource", "pods", "object", "external")) {
      var target = Schemas.at(passedOn, kind, "target");
      target.setRequired(List.of("type"));
      oneOf(Schemas.at(target, "type"), "Utilization", "Value", "AverageValue");
      Schemas.at(target, "type")
          .setDescription("Kind of target, which decides which other field is present.");
      between(Schemas.at(target, "averageUtilization"), 1, Integer.MAX_VALUE);
      positive(Schemas.at(target, "averageValue"), "averageValue");
      positive(Schemas.at(target, "value"), "value");
    }
  }

  private static void positive(JSONSchemaProps quantity, String name) {
    quantity.setXKubernetesValidations(
        List.of(
            new ValidationRuleBuilder()
                .withRule(
                    "type(self) == int ? self > 0 : !self.matches('[eE]....') && isQuantity(self)"
                        + " && quantity(self).isGreaterThan(quantity('0'))")
                .withMessage(name + " must be a quantity above 0; write one such as 40 or 500m")
                .build()));
  }

  private static void between(JSONSchemaProps number, long least, long most) {
    number.setMinimum((double) least);
    number.setMaximum((double) most);
    number.setFormat("int32");
  }

  private static void oneOf(JSONSchemaProps text, String... values) {
    text.setEnum(Stream.of(values).<JsonNode>map(TextNode::valueOf).toList());
  }
}
