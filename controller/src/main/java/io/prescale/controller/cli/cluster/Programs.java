package io.prescale.controller.cli.cluster;

import io.prescale.adapter.server.ListenerException;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.UnreachableException;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.ClusterException;
import java.io.IOException;
import java.util.Map;

/** Runs a program until the process is to stop. */
final class Programs {
  /** Which option chooses a listener's port. */
  private static final Map<String, String> PORTS =
      Map.of(
          "external-metrics", "--port",
          "extender", "--port",
          "keda", "--keda-port",
          "metrics", "--metrics-port",
          "page", "--page-port");

  private Programs() {}

  /** Runs a program until the thread is interrupted. */
  @FunctionalInterface
  interface Run {
    void run() throws ClusterException, IOException, InterruptedException;
  }

  static int run(Surroundings surroundings, String name, Run program) throws ClusterException {
    try {
      program.run();
    } catch (InterruptedException _) {
      surroundings.report(name + " stops.");
    } catch (ListenerException e) {
      var option = PORTS.getOrDefault(e.listener().name(), "--port");
      throw new UnreachableException(
          "Prescale %s; choose another port with %s.".formatted(e.getMessage(), option), e);
    } catch (IOException e) {
      throw UnreachableException.because("Prescale cannot start", e);
    }
    return ExitCode.OK;
  }
}
