package io.prescale.controller.program;

import io.prescale.adapter.server.ListenerException;
import io.prescale.controller.cluster.ClusterAccess;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.scheduler.extender.Exporters;
import io.prescale.controller.scheduler.extender.ExtenderController;
import io.prescale.controller.scheduler.extender.ExtenderHttp;
import io.prescale.controller.scheduler.extender.ExtenderSettings;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/** {@code prescale extender}: answers the cluster's kube-scheduler. */
public final class ExtenderProgram {
  /** The environment of {@link ExtenderBeans}. */
  static final String NAME = "extender";

  private ExtenderProgram() {}

  /**
   * Runs until the thread is interrupted.
   *
   * @param exporters of the cards, if there are any
   * @param running is called with the port when everything has started
   * @throws ClusterException if the API server refuses
   * @throws ListenerException if a port is taken
   */
  public static void run(
      ClusterAccess cluster,
      ExtenderSettings settings,
      Optional<Exporters> exporters,
      Clock clock,
      IntConsumer running)
      throws ClusterException, IOException, InterruptedException {
    cluster.work(
        client -> {
          var beans = new ArrayList<Object>(List.of(client, clock));
          exporters.ifPresent(beans::add);
          try (var context = ExtenderHttp.start(NAME, settings, beans)) {
            running.accept(context.port(ExtenderController.LISTENER));
            return context.await();
          }
        });
  }
}
