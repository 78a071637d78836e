package io.prescale.controller.program;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.adapter.server.ListenerException;
import io.prescale.adapter.server.ListeningContext;
import io.prescale.controller.demand.prometheus.PrometheusClient;
import io.prescale.controller.scheduler.extender.ExtenderHttp;
import io.prescale.controller.scheduler.extender.ExtenderSettings;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code prescale extender}: answers the cluster's kube-scheduler. */
public final class ExtenderProgram {
  /** The environment of {@link ExtenderBeans}. */
  static final String NAME = "extender";

  private ExtenderProgram() {}

  /**
   * Starts; when that fails, nothing is left running.
   *
   * @param client outlives the program
   * @param prometheus that scrapes dcgm-exporter
   * @throws ListenerException if a port is taken
   */
  public static ListeningContext start(
      KubernetesClient client,
      ExtenderSettings settings,
      Optional<PrometheusClient> prometheus,
      Clock clock)
      throws IOException {
    var beans = new ArrayList<Object>(List.of(client, clock));
    prometheus.ifPresent(beans::add);
    return ExtenderHttp.start(NAME, settings, beans);
  }
}
