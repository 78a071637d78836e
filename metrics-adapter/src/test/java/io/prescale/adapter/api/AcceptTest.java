package io.prescale.adapter.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json                                        | JSON",
        "*/*                                                     | JSON",
        "application/*                                           | JSON",
        "application/yaml                                        | YAML",
        "application/vnd.kubernetes.protobuf;type=x, */*         | PROTOBUF",
        "*/*, application/vnd.kubernetes.protobuf                | PROTOBUF",
        "application/json;q=0.5, application/yaml;q=0.9          | YAML",
        "application/json;q=0, */*                               | YAML",
        "application/json;as=Table;v=v1;g=meta.k8s.io, application/json | JSON",
        "text/html, application/xhtml+xml, */*;q=0.8             | JSON",
        "APPLICATION/JSON                                        | JSON",
        "application/yaml;q=nonsense                             | YAML",
        ";;;,,/,application/yaml                                 | YAML",
        "text/html                                               | none",
        "application/json;as=Table;v=v1;g=meta.k8s.io            | none",
        "application/json;q=0                                    | none",
        "nonsense                                                | none",
      })
  void choosesTheBestFormat(String header, String format) {
    assertThat(Accept.parse(List.of(header)).format().map(Enum::name).orElse("none"))
        .isEqualTo(format);
  }

  @Test
  void everythingIsWelcomeWithoutAHeader() {
    assertThat(Accept.parse(List.of()).format()).contains(Accept.Format.JSON);
    assertThat(Accept.parse(List.of("")).format()).contains(Accept.Format.JSON);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList | v2",
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;"
            + "g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json | v2",
        "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,"
            + "application/json | v2beta1",
        "application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList,application/json |"
            + " none",
        "application/json | none",
        "application/json,"
            + " application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;q=0.5 | none",
      })
  void findsTheVersionOfAggregatedDiscovery(String header, String version) {
    assertThat(Accept.parse(List.of(header)).discoveryVersion().orElse("none")).isEqualTo(version);
  }

  @Test
  void readsAHugeHeader() {
    assertThat(Accept.parse(List.of("a/b,".repeat(10_000) + "application/yaml")).format())
        .contains(Accept.Format.YAML);
  }
}
