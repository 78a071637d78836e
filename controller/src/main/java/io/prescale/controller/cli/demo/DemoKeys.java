package io.prescale.controller.cli.demo;

import io.prescale.controller.demo.Demo;
import io.prescale.controller.web.ActionsView.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** What is typed while a demo runs: a word a line. The end of the input ends nothing. */
final class DemoKeys {
  private static final String KNOWN =
      " There are spike [WORKLOAD], lose-card, wear-card, repair-cards, stop-prometheus,"
          + " start-prometheus and quit.";

  private static final int LONGEST_LINE = 200;

  private final InputStream in;
  private final Demo demo;
  private final DemoVoice voice;
  private final Thread worker;

  /**
   * @param worker is interrupted by {@code quit}
   */
  DemoKeys(InputStream in, Demo demo, DemoVoice voice, Thread worker) {
    this.in = in;
    this.demo = demo;
    this.voice = voice;
    this.worker = worker;
  }

  /** Begins to listen, on a thread that does not keep the program alive. */
  void listen() {
    Thread.ofPlatform().daemon().name("demo-keys").start(this::read);
  }

  private void read() {
    try (var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        typed(line.strip());
      }
    } catch (IOException _) {
      // The input has ended.
    }
  }

  private boolean isKnown(String action) {
    return demo.actions().stream().anyMatch(it -> it.id().equals(action));
  }

  private void typed(String line) {
    if (line.isEmpty() || line.length() > LONGEST_LINE) {
      return;
    }
    if (line.equals("quit")) {
      worker.interrupt();
      return;
    }
    var words = line.split("\\s+", 2);
    switch (demo.perform(words[0], words.length > 1 ? words[1] : "")) {
      case Outcome.Done(var text) -> voice.happened(demo.now(), text);
      case Outcome.Refused(var text) -> voice.refused(isKnown(words[0]) ? text : text + KNOWN);
    }
  }
}
