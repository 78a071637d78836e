package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.demand.source.SourceSettings;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.values.PublishedValues;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class ControllerTest {
  private static final InstantSource CLOCK = InstantSource.fixed(PredictiveHpas.NOON);

  private static final String NAMING_A_SERVER =
      """
      metadata: {namespace: team, name: chat, uid: uid-1}
      spec:
        scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
        maxReplicas: 9
        metrics:
        - name: requests
          prometheus: {query: sum(requests)}
          target: {averageValue: "4"}
        prometheus: {url: "http://prometheus.team:9090"}
      """;

  private KubernetesClient client;

  /** Where all servers are allowed, the one whose rights Prescale has is not. */
  @Test
  void noPredictiveHpaMayNameTheApiServer() throws Exception {
    var apiServer = URI.create(client.getConfiguration().getMasterUrl()).getHost();
    var chat = client.getKubernetesSerialization().unmarshal(NAMING_A_SERVER, PredictiveHPA.class);
    try (var source = new PrometheusSource(SourceSettings.defaults(), new SplittableRandom(1));
        var controller = controller(source)) {
      var query = controller.targets().demanded(chat, Optional.empty()).queries().demands();

      var allowed = query.get("requests").server().allowed().orElseThrow();
      assertThat(allowed.apiServers()).containsExactly(apiServer);
    }
  }

  private Controller controller(PrometheusSource source) {
    var limits =
        new TenantLimits(
            AllowedServers.of(List.of("*")), Duration.ofSeconds(10), false, new NamespaceLimit(9));
    return new Controller(
        client,
        new ControllerSettings(Optional::empty, Set.of(), "prescale", "replica", false, limits),
        new HpaFeatures(true),
        new PublishedValues(client, "prescale", CLOCK),
        source,
        new Telemetry(CLOCK),
        CLOCK,
        System::nanoTime,
        Optional::empty);
  }
}
