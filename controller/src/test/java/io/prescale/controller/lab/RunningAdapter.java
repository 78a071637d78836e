package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.identity.ReviewTtl;
import io.prescale.adapter.server.ApiFilter;
import io.prescale.adapter.server.Listener;
import io.prescale.adapter.server.ListeningContext;
import io.prescale.controller.certificates.Certificates;
import io.prescale.controller.serving.Adapter;
import io.prescale.controller.serving.AdapterSettings;
import io.prescale.controller.serving.Registration;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** An adapter on a port, in front of a read model that a test fills. */
record RunningAdapter(Adapter adapter, ListeningContext context) implements AutoCloseable {
  static RunningAdapter start(
      KubernetesClient client, MetricReadModel metrics, AdapterSettings settings)
      throws IOException {
    var adapter = new Adapter(client, Clock.systemUTC(), metrics, settings, List.of());
    var context =
        ListeningContext.start(
            "test",
            List.of(new Listener(ApiFilter.LISTENER, settings.host(), settings.port(), true)),
            Map.of(),
            adapter.api(),
            adapter.tls());
    adapter.start();
    return new RunningAdapter(adapter, context);
  }

  /** On loopback. */
  static AdapterSettings settings(String service, int port) {
    return new AdapterSettings(
        "127.0.0.1",
        port,
        "default",
        service,
        port == 0 ? 443 : port,
        new Certificates.SelfMade("prescale-adapter-tls"),
        ReviewTtl.usual(),
        true,
        AdapterSettings.PassThrough.NONE,
        "v0",
        "lab");
  }

  /** Waits until the API server passes requests on to it. */
  static void awaitAvailable(Lab lab) {
    patiently()
        .until(
            () ->
                lab.kubectl(
                    "get",
                    "apiservice",
                    "v1beta1.external.metrics.k8s.io",
                    "-o",
                    "jsonpath={.status.conditions[?(@.type=='Available')].status}"),
            "True"::equals);
  }

  Registration registration() {
    return adapter.registration();
  }

  @Override
  public void close() {
    context.close();
    adapter.close();
  }
}
