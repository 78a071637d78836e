package io.prescale.controller.cli.terminal;

import io.prescale.controller.Application;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the program within the test and keeps what it says. */
public final class TestingSurroundings {
  private static final Instant NOW = Instant.parse("2026-01-17T00:00:30Z");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  static final Terminal FILE = new Terminal(false, false, true, 80);

  private final Map<String, String> environment = new HashMap<>();
  private String in = "";
  private Terminal terminal = FILE;

  public TestingSurroundings with(Terminal newTerminal) {
    terminal = newTerminal;
    return this;
  }

  public TestingSurroundings with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  public TestingSurroundings withInput(String newInput) {
    in = newInput;
    return this;
  }

  /** The exit code of the program; its output is kept. */
  public int run(String... args) {
    try (var files = new OutputFiles()) {
      return new Application(surroundings(), files).run(args);
    }
  }

  public Surroundings surroundings() {
    return new Surroundings(
        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
        new PrintWriter(out),
        new PrintWriter(err),
        terminal,
        terminal,
        environment,
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  public String out() {
    return out.toString();
  }

  public String err() {
    return err.toString();
  }

  public List<String> errLines() {
    return err().lines().toList();
  }
}
