package io.prescale.controller.cli.demo;

import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.demo.DemoService;
import io.prescale.controller.demo.DemoSettings;
import io.prescale.controller.web.WebServer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code prescale demo}: everything at once, on this machine, with nothing installed. */
@Command(
    name = "demo",
    header = "Shows Prescale at work in a simulated cluster, with a web page.",
    description = {
      "",
      "Generates the load of some inference services, and two weeks of it as history. Forecasts,"
          + " decisions, the external metrics API and the placement on GPUs are the real ones; the"
          + " cluster, its pods and the clock are simulated: a day passes in three minutes.",
      "",
      "While it runs, type spike, lose-card, repair-cards, stop-prometheus, start-prometheus or"
          + " quit and press Enter; the page has buttons for the same.",
    },
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  prescale demo",
      "      Then open http://127.0.0.1:8088/ in a browser.",
      "  prescale demo --speed 60",
      "      A minute passes in a second.",
      "  prescale demo --workloads 200 --nodes 1000 --speed 10",
      "      A large cluster.",
      "  prescale demo --json --stop-after 20s",
      "      For scripts: an object a line.",
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int USUAL_PORT = 8088;
  private static final double FASTEST = 2000;

  private final Surroundings surroundings;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port of the page (default: 8088, or the next one that is free).")
  @Nullable Integer port;

  @Option(
      names = "--metrics-port",
      paramLabel = "N",
      description = "Port of the external metrics API (default: any that is free).",
      defaultValue = "0")
  int metricsPort;

  @Option(
      names = "--speed",
      paramLabel = "X",
      description = "How much faster than real time passes, 1 to 2000 (default: ${DEFAULT-VALUE}).",
      defaultValue = "480")
  double speed = 480;

  @Option(
      names = "--workloads",
      paramLabel = "N",
      description = "How many services, at most 200 (default: ${DEFAULT-VALUE}).",
      defaultValue = "5")
  int workloads = 5;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "How many nodes of eight GPUs, at most 1000 (default: ${DEFAULT-VALUE}).",
      defaultValue = "7")
  int nodes = 7;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of load and cold starts (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  long seed = 1;

  @Option(
      names = "--stop-after",
      paramLabel = "TIME",
      description = "Stops by itself after so much real time, such as 90s.")
  @Nullable Duration stopAfter;

  @Option(names = "--json", description = "Prints an object a line instead of sentences.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  /** A command that has not run yet; it may run once. */
  public DemoCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    requireSense();
    var settings = UsageException.unlessValid(() -> DemoSettings.of(workloads, nodes, seed));
    var voice = new DemoVoice(surroundings, json);
    try (var service = start(settings)) {
      voice.begins(service, settings, speed);
      new DemoKeys(surroundings.in(), service.demo(), voice, Thread.currentThread()).listen();
      new DemoClock(service.demo(), voice, speed, stopAfter, System::nanoTime).run();
    } catch (InterruptedException _) {
      // Told to stop, as it is meant to be.
    }
    voice.ends();
    return ExitCode.OK;
  }

  private void requireSense() {
    if (!(speed >= 1 && speed <= FASTEST)) {
      throw new UsageException("--speed must be from 1 to 2000: %s.".formatted(speed));
    }
    requirePort("--port", port == null ? 0 : port);
    requirePort("--metrics-port", metricsPort);
  }

  private static void requirePort(String option, int value) {
    if (value < 0 || value > 65_535) {
      throw new UsageException("%s must be from 0 to 65535: %d.".formatted(option, value));
    }
  }

  private DemoService start(DemoSettings settings) {
    var web = bind();
    try {
      return new DemoService(settings, web, metricsPort, speed, surroundings.clock().instant());
    } catch (IOException e) {
      throw new UsageException(
          e.getMessage() + " Give another one with --metrics-port, or 0 for any.");
    }
  }

  /** A port that was asked for, or the first free one. */
  private WebServer bind() {
    if (port != null) {
      try {
        return WebServer.bind(port);
      } catch (IOException e) {
        throw new UsageException(
            "Port %d cannot be used (%s); give another one with --port, or 0 for any."
                .formatted(port, e.getMessage()));
      }
    }
    return firstFree(USUAL_PORT);
  }

  private static WebServer firstFree(int first) {
    for (int candidate = first; candidate < first + 50; candidate++) {
      try {
        return WebServer.bind(candidate);
      } catch (IOException _) {
        // taken; the next one may be free
      }
    }
    throw new UsageException(
        "No port from %d to %d is free; give one with --port.".formatted(first, first + 49));
  }
}
