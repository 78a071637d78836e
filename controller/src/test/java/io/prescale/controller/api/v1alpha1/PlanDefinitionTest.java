package io.prescale.controller.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What users see of CapacityPlan's definition. */
class PlanDefinitionTest {
  private static final CustomResourceDefinition DEFINITION =
      Serialization.unmarshal(GeneratedCrd.plans(), CustomResourceDefinition.class);

  private static void collect(JSONSchemaProps schema, List<JSONSchemaProps> all) {
    all.add(schema);
    var inner = schema.getItems() == null ? schema : schema.getItems().getSchema();
    Optional.ofNullable(inner.getProperties())
        .ifPresent(fields -> fields.values().forEach(field -> collect(field, all)));
  }

  @Test
  void everyFieldIsDescribedAndEveryListBounded() {
    var version = DEFINITION.getSpec().getVersions().getFirst();
    var all = new ArrayList<JSONSchemaProps>();
    collect(version.getSchema().getOpenAPIV3Schema(), all);

    assertThat(all)
        .hasSizeGreaterThan(60)
        .allSatisfy(field -> assertThat(field.getDescription()).isNotBlank())
        .filteredOn(field -> "array".equals(field.getType()))
        .hasSizeGreaterThan(12)
        .allSatisfy(list -> assertThat(list.getMaxItems()).isBetween(1L, 288L));
  }

  @Test
  void itIsOfTheClusterAndHasOnlyAStatus() {
    var version = DEFINITION.getSpec().getVersions().getFirst();
    assertThat(DEFINITION.getSpec().getScope()).isEqualTo("Cluster");
    assertThat(version.getSubresources().getStatus()).isNotNull();
    assertThat(version.getSchema().getOpenAPIV3Schema().getProperties()).containsOnlyKeys("status");
    assertThat(version.getAdditionalPrinterColumns())
        .extracting(column -> column.getName())
        .containsExactly("Summary", "Made");
  }
}
