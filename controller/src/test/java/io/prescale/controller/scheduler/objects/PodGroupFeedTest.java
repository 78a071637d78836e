package io.prescale.controller.scheduler.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodGroupFeedTest {
  private final KubernetesSerialization yaml = new KubernetesSerialization();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {schedulingPolicy: {gang: {minCount: 4}}}   | 4
          {schedulingPolicy: {basic: {}}}             | 0
          {schedulingPolicy: {gang: {}}}              | 0
          {schedulingPolicy: {gang: {minCount: -4}}}  | 0
          {schedulingPolicy: {gang: {minCount: many}}} | 0
          {schedulingPolicy: []}                      | 0
          null                                        | 0
          """)
  void aPodGroupIsAGangOfSoManyAtLeast(String spec, int least) {
    var group =
        yaml.unmarshal(
            """
            apiVersion: scheduling.k8s.io/v1alpha2
            kind: PodGroup
            metadata: {name: g}
            spec: %s
            """
                .formatted(spec),
            GenericKubernetesResource.class);

    assertThat(PodGroupFeed.least(group).orElse(0)).isEqualTo(least);
  }
}
