package io.prescale.controller.program;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.adapter.server.ApiFilter;
import io.prescale.adapter.server.Listener;
import io.prescale.adapter.server.ListenerException;
import io.prescale.adapter.server.ListeningContext;
import io.prescale.controller.cluster.ClusterAccess;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.operator.ControllerSettings;
import io.prescale.controller.operator.Preflight;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.plan.live.AheadSettings;
import io.prescale.controller.serving.AdapterSettings;
import io.prescale.controller.serving.KedaSettings;
import io.prescale.controller.telemetry.MetricsEndpoint;
import io.prescale.controller.web.PageController;
import io.prescale.controller.web.PageFiles;
import io.prescale.controller.web.live.ExtenderCards;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** {@code prescale controller}: serves external metrics, and leads when it is elected. */
public final class ControllerProgram {
  /** The environment of {@link ControllerBeans}. */
  static final String NAME = "controller";

  /** True when an extender's cards are shown. */
  static final String CARDS = "prescale.page.cards";

  /** True when KEDA is answered. */
  static final String KEDA = "prescale.keda";

  /** True when the leader forecasts the next day, for the plan of the cards or for bookings. */
  static final String FORECASTS_DAY = "prescale.forecasts-day";

  /** True when this replica stands for election. */
  static final String LEADS = "prescale.leads";

  private static final String LOOPBACK = "127.0.0.1";

  private ControllerProgram() {}

  /**
   * What a replica does.
   *
   * @param leads whether it stands for election; otherwise it only serves
   * @param adapter how external metrics are served; empty when they are not
   * @param keda how KEDA is answered; empty when it is not
   * @param host address of the metrics port
   * @param metricsPort 0 for none
   * @param pagePort on loopback; 0 for none
   * @param cards an extender's metrics port, whose cards the page shows
   * @param cardHourPrice for what the page says of savings
   * @param ahead what the leader does with forecasts of the next day
   */
  public record Settings(
      ControllerSettings controller,
      boolean leads,
      Optional<AdapterSettings> adapter,
      Optional<KedaSettings> keda,
      String host,
      int metricsPort,
      int pagePort,
      Optional<URI> cards,
      OptionalDouble cardHourPrice,
      AheadSettings ahead) {
    public Settings {
      int[] ports =
          IntStream.of(
                  adapter.map(AdapterSettings::port).orElse(0),
                  keda.map(KedaSettings::port).orElse(0),
                  metricsPort,
                  pagePort)
              .filter(port -> port > 0)
              .toArray();
      if (IntStream.of(ports).distinct().count() < ports.length) {
        throw new IllegalArgumentException(
            "two of the ports %s are the same; give each listener a port of its own"
                .formatted(Arrays.toString(ports)));
      }
      if (keda.isPresent() && adapter.isEmpty()) {
        throw new IllegalArgumentException(
            "KEDA is shown the certificate of the external metrics API, which is not served; serve"
                + " it too");
      }
      cards.ifPresent(ExtenderCards::requireAddress);
    }

    List<Listener> listeners() {
      var listeners = new ArrayList<Listener>();
      adapter.ifPresent(
          it -> listeners.add(new Listener(ApiFilter.LISTENER, it.host(), it.port(), true)));
      if (metricsPort > 0) {
        listeners.add(Listener.plain(MetricsEndpoint.LISTENER, host, metricsPort));
      }
      if (pagePort > 0) {
        listeners.add(Listener.plain(PageController.LISTENER, LOOPBACK, pagePort));
      }
      return listeners;
    }
  }

  /**
   * Runs until the thread is interrupted.
   *
   * @param running is called when everything has started
   * @throws ClusterException if the cluster lacks what Prescale needs; the message has the remedy
   * @throws ListenerException if a port is taken
   * @throws IOException if there is no certificate to show
   */
  public static void run(ClusterAccess cluster, Settings settings, Clock clock, Runnable running)
      throws ClusterException, IOException, InterruptedException {
    cluster.work(
        client -> {
          requireInstallation(client, settings);
          var features =
              settings.leads()
                  ? HpaFeatures.of(client, settings.controller().anyNamespace())
                  : new HpaFeatures(false);
          try (var context = start(client, features, settings, clock)) {
            running.run();
            return context.await();
          }
        });
  }

  private static void requireInstallation(KubernetesClient client, Settings settings)
      throws ClusterException {
    var problem = new Preflight(client).problem(settings.controller(), settings.leads());
    if (problem.isPresent()) {
      throw new ClusterException(problem.get());
    }
  }

  /** Starts; when that fails, nothing is left running. */
  static ListeningContext start(
      KubernetesClient client, HpaFeatures features, Settings settings, Clock clock)
      throws IOException {
    var properties =
        new HashMap<String, Object>(
            Map.of(
                CARDS,
                settings.cards().isPresent(),
                KEDA,
                settings.keda().isPresent(),
                LEADS,
                settings.leads(),
                FORECASTS_DAY,
                settings.leads() && settings.ahead().forecasts()));
    if (settings.pagePort() > 0) {
      properties.putAll(PageFiles.properties());
    }
    return ListeningContext.start(
        NAME, settings.listeners(), properties, client, features, settings, clock);
  }
}
