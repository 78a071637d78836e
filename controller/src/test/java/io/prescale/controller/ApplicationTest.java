package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ApplicationTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void helpNamesTheProgramAndSucceeds() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: prescale");
  }

  @Test
  void versionNamesTheProgramAndSucceeds() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("prescale ");
  }

  @Test
  void anUnknownOptionIsAUsageErrorOnStandardError() {
    assertThat(run("--no-such-option")).isEqualTo(2);
    assertThat(err.toString()).contains("Unknown option: '--no-such-option'");
    assertThat(out.toString()).isEmpty();
  }

  private int run(String... args) {
    return new Application()
        .withOutput(new PrintWriter(out, true), new PrintWriter(err, true))
        .run(args);
  }
}
