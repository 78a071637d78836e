package io.prescale.controller.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What users see of GpuQueue's definition. */
class QueueDefinitionTest {
  private static final CustomResourceDefinition DEFINITION =
      Serialization.unmarshal(GeneratedCrd.queues(), CustomResourceDefinition.class);

  private static JSONSchemaProps root() {
    return DEFINITION.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
  }

  private static void collect(JSONSchemaProps schema, List<JSONSchemaProps> all) {
    all.add(schema);
    if (schema.getProperties() != null) {
      schema.getProperties().values().forEach(field -> collect(field, all));
    }
    if (schema.getItems() != null) {
      schema.getItems().getSchema().getProperties().values().forEach(field -> collect(field, all));
    }
  }

  private static List<JSONSchemaProps> fields() {
    var all = new ArrayList<JSONSchemaProps>();
    collect(root(), all);
    return all;
  }

  @Test
  void everyFieldIsDescribedAndEveryListBounded() {
    assertThat(fields())
        .hasSizeGreaterThan(18)
        .allSatisfy(field -> assertThat(field.getDescription()).isNotBlank())
        .filteredOn(field -> "array".equals(field.getType()))
        .satisfiesExactlyInAnyOrder(
            models -> {
              assertThat(models.getMaxItems()).isEqualTo(20);
              assertThat(models.getItems().getSchema().getMaxLength()).isEqualTo(63);
            },
            conditions -> {
              assertThat(conditions.getMaxItems()).isEqualTo(4);
              assertThat(conditions.getXKubernetesListMapKeys()).containsExactly("type");
            });
  }

  @Test
  void everyRuleSaysWhatIsWrongAndWhatToDo() {
    var rules =
        fields().stream()
            .filter(field -> field.getXKubernetesValidations() != null)
            .flatMap(field -> field.getXKubernetesValidations().stream())
            .toList();

    assertThat(rules)
        .hasSize(12)
        .allSatisfy(
            rule ->
                assertThat(
                        rule.getMessage() == null ? rule.getMessageExpression() : rule.getMessage())
                    .contains("; "));
  }

  @Test
  void namesAndColumnsAreThoseThatUsersType() {
    assertThat(DEFINITION.getSpec().getScope()).isEqualTo("Cluster");
    assertThat(DEFINITION.getSpec().getNames().getShortNames()).containsExactly("gq");
    var version = DEFINITION.getSpec().getVersions().getFirst();
    assertThat(version.getSubresources().getStatus()).isNotNull();
    assertThat(version.getAdditionalPrinterColumns())
        .extracting(column -> column.getName())
        .containsExactly(
            "Parent", "Used", "Guarantee", "Limit", "Owed", "Waiting", "Oldest", "Ready", "Age");
  }
}
