package io.prescale.controller.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import org.junit.jupiter.api.Test;

class CrdCommandTest {
  private final TestingSurroundings program = new TestingSurroundings();

  @Test
  void printsTheDefinitionsAsTheyAreInTheRepository() {
    assertThat(program.run("crd")).isZero();
    assertThat(program.out())
        .isEqualTo(
            String.join(
                "---\n",
                GeneratedCrd.yaml(),
                GeneratedCrd.queues(),
                GeneratedCrd.bookings(),
                GeneratedCrd.plans()));
  }

  @Test
  void printsTheSameAsJson() throws JsonProcessingException {
    assertThat(program.run("crd", "--json")).isZero();
    var json = new ObjectMapper().readTree(program.out());
    var yaml = new YAMLMapper().readTree(GeneratedCrd.yaml());

    assertThat(json.at("/kind").asText()).isEqualTo("List");
    assertThat(json.at("/items/0/kind").asText()).isEqualTo("CustomResourceDefinition");
    assertThat(json.at("/items/0/spec")).isEqualTo(yaml.at("/spec"));
    assertThat(json.at("/items/1/metadata/name").asText())
        .isEqualTo("gpuqueues.placement.prescale.io");
  }

  @Test
  void takesNoArgument() {
    assertThat(program.run("crd", "v1beta1")).isEqualTo(2);
    assertThat(program.err()).contains("prescale crd takes no argument \"v1beta1\".");
  }
}
