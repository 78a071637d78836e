package io.prescale.controller.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What users see of the definition. That the API server takes it is tested in the laboratory. */
class DefinitionTest {
  private static final CustomResourceDefinition DEFINITION =
      Serialization.unmarshal(GeneratedCrd.yaml(), CustomResourceDefinition.class);

  @Test
  void everyFieldIsDescribed() {
    assertThat(fields())
        .hasSizeGreaterThan(150)
        .allSatisfy(
            (path, field) -> assertThat(field.getDescription()).as(path).isNotNull().isNotBlank());
  }

  @Test
  void everyRuleSaysWhatIsWrong() {
    var rules =
        fields().entrySet().stream()
            .filter(field -> field.getValue().getXKubernetesValidations() != null)
            .flatMap(field -> field.getValue().getXKubernetesValidations().stream())
            .toList();

    assertThat(rules)
        .hasSizeGreaterThan(30)
        .allSatisfy(
            rule ->
                assertThat(
                        rule.getMessage() == null ? rule.getMessageExpression() : rule.getMessage())
                    .as(rule.getRule())
                    .contains("; "));
  }

  @Test
  void everyListOfOursIsBounded() {
    var lists =
        fields().entrySet().stream()
            .filter(field -> "array".equals(field.getValue().getType()))
            .filter(field -> !field.getKey().contains(".native."))
            .toList();

    assertThat(lists)
        .hasSizeGreaterThan(5)
        .allSatisfy(
            list ->
                assertThat(list.getValue().getMaxItems()).as(list.getKey()).isBetween(1L, 100L));
  }

  @Test
  void listsWithKeysAreMergedByThem() {
    var root = root();

    assertThat(Schemas.at(root, "spec", "metrics").getXKubernetesListMapKeys())
        .containsExactly("name");
    assertThat(Schemas.at(root, "status", "metrics").getXKubernetesListMapKeys())
        .containsExactly("name");
    assertThat(Schemas.at(root, "status", "conditions").getXKubernetesListMapKeys())
        .containsExactly("type");
  }

  @Test
  void valuesThatLookLikeOtherThingsStayText() {
    var status = Schemas.at(root(), "status", "conditions", "[]", "status");

    assertThat(status.getEnum())
        .containsExactlyInAnyOrder(
            TextNode.valueOf("True"), TextNode.valueOf("False"), TextNode.valueOf("Unknown"));
  }

  @Test
  void namesAndColumnsAreThoseThatUsersType() {
    var names = DEFINITION.getSpec().getNames();

    assertThat(names.getShortNames()).containsExactly("phpa");
    assertThat(names.getCategories()).containsExactly("all", "autoscaling");
    assertThat(DEFINITION.getSpec().getScope()).isEqualTo("Namespaced");
    assertThat(version().getSubresources().getStatus()).isNotNull();
    assertThat(version().getAdditionalPrinterColumns())
        .extracting(column -> column.getName())
        .containsExactly(
            "Target",
            "Mode",
            "Through",
            "Ready",
            "Current",
            "Predicted",
            "Lead(s)",
            "Skill",
            "Metrics",
            "Forecast",
            "Scaling",
            "Age");
  }

  @Test
  void everyConditionHasReasons() {
    assertThat(ConditionType.values()).allMatch(type -> CrdReference.reasons(type).size() > 1);
    assertThat(CrdReference.reasons(ConditionType.ForecastTrusted))
        .containsExactly(
            ConditionReason.Skilled,
            ConditionReason.Learning,
            ConditionReason.NoSkill,
            ConditionReason.CoverageOff,
            ConditionReason.NotDeciding,
            ConditionReason.InternalError);
  }

  private static Map<String, JSONSchemaProps> fields() {
    var fields = new LinkedHashMap<String, JSONSchemaProps>();
    collect("", root(), fields);
    return fields;
  }

  private static void collect(
      String path, JSONSchemaProps schema, Map<String, JSONSchemaProps> fields) {
    if (schema.getProperties() != null) {
      schema
          .getProperties()
          .forEach(
              (name, field) -> {
                fields.put(path + "." + name, field);
                collect(path + "." + name, field, fields);
              });
    }
    if (schema.getItems() != null) {
      collect(path + "[]", schema.getItems().getSchema(), fields);
    }
  }

  private static CustomResourceDefinitionVersion version() {
    return DEFINITION.getSpec().getVersions().getFirst();
  }

  private static JSONSchemaProps root() {
    return version().getSchema().getOpenAPIV3Schema();
  }
}
