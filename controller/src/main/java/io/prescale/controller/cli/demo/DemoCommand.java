package io.prescale.controller.cli.demo;

import io.prescale.adapter.server.Listener;
import io.prescale.adapter.server.ListenerException;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.PriceOptions;
import io.prescale.controller.cli.options.UnreachableException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.demo.DemoService;
import io.prescale.controller.demo.DemoSettings;
import io.prescale.controller.web.PageController;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
      "While it runs, type spike, lose-card, wear-card, repair-cards, stop-prometheus,"
          + " start-prometheus or quit and press Enter; the page has buttons for the same.",
    },
    sortOptions = false,
    footer = {
      "",
      "Each option is also a property, prescale.demo.OPTION, in the files that",
      "MICRONAUT_CONFIG_FILES names, or PRESCALE_DEMO_OPTION in the environment.",
      "The command line wins, then the environment.",
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
  private static final int CANDIDATES = 50;
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
      description = "Port of the external metrics API (default: any that is free).")
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
      description = "How many services, at most 200 (default: ${DEFAULT-VALUE}).")
  int workloads = 5;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "How many nodes of eight GPUs, at most 1000 (default: ${DEFAULT-VALUE}).")
  int nodes = 7;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of load and cold starts (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(names = "--no-jobs", description = "No Jobs use the cards that services leave over.")
  boolean noJobs;

  @Option(
      names = "--calm",
      description =
          "Nothing happens unless it is asked for; otherwise a card is lost within the first"
              + " minute.")
  boolean calm;

  @Mixin private final PriceOptions price = new PriceOptions();

  @Option(
      names = "--stop-after",
      paramLabel = "TIME",
      description = "Stops by itself after so much real time, such as 90s.")
  @Nullable Duration stopAfter;

  @Option(names = "--json", description = "Prints an object a line instead of sentences.")
  boolean json;

  /** A command that has not run yet; it may run once. */
  public DemoCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    requireSense();
    var settings = DemoSettings.of(workloads, nodes, !noJobs, seed);
    var voice = new DemoVoice(surroundings, json);
    voice.opens(settings, speed);
    try (var service = start(settings)) {
      voice.begins(service, speed);
      new DemoKeys(surroundings.in(), service.demo(), voice, Thread.currentThread()).listen();
      new DemoClock(service.demo(), voice, speed, !calm, stopAfter, System::nanoTime).run();
    } catch (InterruptedException _) {
      // Interrupted: the way to stop it.
    }
    voice.ends();
    return ExitCode.OK;
  }

  private void requireSense() {
    price.requireSense();
    if (!(speed >= 1 && speed <= FASTEST)) {
      throw new UsageException("--speed is %s; it must be from 1 to 2000.".formatted(speed));
    }
    if (stopAfter != null && !stopAfter.isPositive()) {
      throw new UsageException("--stop-after must be longer than 0s; without it the demo goes on.");
    }
    UsageException.requireWithin("--workloads", workloads, 1, DemoSettings.MOST_WORKLOADS);
    UsageException.requireWithin("--nodes", nodes, 1, DemoSettings.MOST_NODES);
    UsageException.requireWithin("--port", port == null ? 0 : port, 0, Listener.HIGHEST_PORT);
    UsageException.requireWithin("--metrics-port", metricsPort, 0, Listener.HIGHEST_PORT);
  }

  /** On the port that was asked for, or on the first free one. */
  private DemoService start(DemoSettings settings) {
    if (port != null) {
      int given = port;
      return start(settings, given).orElseThrow(() -> taken("--port", given));
    }
    for (int candidate = USUAL_PORT; candidate < USUAL_PORT + CANDIDATES; candidate++) {
      if (isFree(candidate)) {
        var service = start(settings, candidate);
        if (service.isPresent()) {
          return service.get();
        }
      }
    }
    throw new UnreachableException(
        "No port from %d to %d is free; give one with --port."
            .formatted(USUAL_PORT, USUAL_PORT + CANDIDATES - 1));
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** Empty when the page's port is taken. */
  private Optional<DemoService> start(DemoSettings settings, int pagePort) {
    var today = surroundings.clock().instant();
    try {
      return Optional.of(
          DemoService.start(settings, pagePort, metricsPort, speed, today, price.perCardHour()));
    } catch (ListenerException e) {
      if (e.listener().name().equals(PageController.LISTENER)) {
        return Optional.empty();
      }
      throw taken("--metrics-port", metricsPort);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static UnreachableException taken(String option, int port) {
    return new UnreachableException(
        "Port %d cannot be used; give another one with %s, or 0 for any.".formatted(port, option));
  }
}
