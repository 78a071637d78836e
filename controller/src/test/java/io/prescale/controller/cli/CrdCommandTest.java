package io.prescale.controller.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import org.junit.jupiter.api.Test;

class CrdCommandTest {
  private final TestingSurroundings program = new TestingSurroundings();

  @Test
  void printsTheDefinitionAsItIsInTheRepository() {
    assertThat(program.run("crd")).isZero();
    assertThat(program.out()).isEqualTo(GeneratedCrd.yaml());
  }

  @Test
  void takesNoArgument() {
    assertThat(program.run("crd", "v1beta1")).isEqualTo(2);
    assertThat(program.err()).contains("Unmatched argument at index 1: 'v1beta1'");
  }
}
