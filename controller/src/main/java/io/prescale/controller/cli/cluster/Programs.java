package io.prescale.controller.cli.cluster;

import io.prescale.adapter.server.ListenerException;
import io.prescale.adapter.server.ListeningContext;
import io.prescale.controller.cli.options.ClusterException;
import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.Surroundings;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** Runs a program until the process is to stop. */
final class Programs {
  /** Which option chooses a listener's port. */
  private static final Map<String, String> PORTS =
      Map.of(
          "external-metrics", "--port",
          "extender", "--port",
          "metrics", "--metrics-port",
          "page", "--page-port");

  private Programs() {}

  /** Starts a program. */
  @FunctionalInterface
  interface Start {
    ListeningContext start() throws IOException;
  }

  /**
   * Runs until the thread is interrupted.
   *
   * @param running what is said when the program runs
   */
  static int run(
      Surroundings surroundings,
      String name,
      Function<ListeningContext, String> running,
      Start program)
      throws ClusterException {
    try (var context = program.start()) {
      surroundings.report(running.apply(context));
      new CountDownLatch(1).await();
    } catch (InterruptedException _) {
      surroundings.report(name + " stops.");
    } catch (ListenerException e) {
      var option = PORTS.getOrDefault(e.listener().name(), "--port");
      throw new ClusterException(
          "Prescale %s; choose another port with %s.".formatted(e.getMessage(), option), e);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new ClusterException("Prescale cannot start: %s.".formatted(e.getMessage()), e);
    }
    return ExitCode.OK;
  }
}
