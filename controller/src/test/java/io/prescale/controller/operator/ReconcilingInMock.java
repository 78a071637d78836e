package io.prescale.controller.operator;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.cluster.HpaReader;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.demand.source.PrometheusSource;
import io.prescale.controller.demand.source.SourceSettings;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.operator.hpa.HpaPlanner;
import io.prescale.controller.states.SavedStates;
import io.prescale.controller.states.SavedTarget;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.values.PublishedValues;
import io.prescale.controller.values.ValuePublisher;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/** A leader's term with a mock of an API server, in namespace {@code team}. */
final class ReconcilingInMock implements AutoCloseable {
  private static final ResourceDefinitionContext KIND =
      ResourceDefinitionContext.fromResourceType(PredictiveHPA.class);

  private static final class ApplyAsMerge implements Interceptor {
    private final AtomicReference<Runnable> beforeNext = new AtomicReference<>(() -> {});

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      if (String.valueOf(request.uri().getQuery()).contains("fieldManager")
          && builder instanceof HttpRequest.Builder rewritten) {
        beforeNext.getAndSet(() -> {}).run();
        rewritten.patch("application/merge-patch+json", request.bodyString());
      }
    }
  }

  private final ApplyAsMerge applies = new ApplyAsMerge();
  private final FitQueue fits = new FitQueue(1);
  private final KubernetesClient client;
  private final KubernetesClient applying;
  private final PrometheusSource source;
  private final LiveTargets targets;
  private final Telemetry telemetry = new Telemetry(Clock.systemUTC());
  private final ValuePublisher publisher;
  private final SavedStates states;
  private final ReconcilingTerm term;

  /**
   * A term that has not begun.
   *
   * @param prometheus the server that is asked, if there is one
   * @param memory for what targets know
   */
  ReconcilingInMock(
      KubernetesClient client,
      Optional<PrometheusServer> prometheus,
      MemoryBudget memory,
      Runnable informerStopped) {
    this(
        client,
        Set.of(),
        prometheus,
        memory,
        Duty.all(() -> true),
        TenantLimits.defaults().objectsPerNamespace(),
        informerStopped);
  }

  /**
   * The same of one of several replicas.
   *
   * @param namespaces that are watched; empty for all
   * @param duty which PredictiveHPAs are its own
   */
  ReconcilingInMock(
      KubernetesClient client,
      Set<String> namespaces,
      Optional<PrometheusServer> prometheus,
      MemoryBudget memory,
      Duty duty,
      NamespaceLimit limit,
      Runnable informerStopped) {
    this.client = client;
    // The mock server knows no server-side apply, which is a merge as long as fields are added.
    applying =
        new KubernetesClientBuilder()
            .withConfig(client.getConfiguration())
            .withKubernetesSerialization(HpaReader.json())
            .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("apply", applies))
            .build();
    source = new PrometheusSource(SourceSettings.defaults(), new SplittableRandom(1));
    var features = new HpaFeatures(true);
    states = new SavedStates(client, "prescale", _ -> true, Clock.systemUTC(), telemetry);
    var servers =
        new PrometheusServers(
            client, System::nanoTime, () -> prometheus, AllowedServers.of(List.of()), false);
    targets =
        new LiveTargets(
            features, servers, source, fits, Duration.ofSeconds(10), memory, states, () -> 1);
    var planner = new HpaPlanner(features, client.getKubernetesSerialization());
    var values = new PublishedValues(client, "prescale", Clock.systemUTC());
    var turns = new WriteTurns(16, () -> 1, System::nanoTime);
    publisher = values.publisher(_ -> true, telemetry, turns);
    term =
        new ReconcilingTerm(
            applying,
            namespaces,
            telemetry,
            new PredictiveHpaReconciler(
                applying,
                duty,
                limit,
                Clock.systemUTC(),
                targets,
                new PodWork(source, servers),
                planner,
                values,
                publisher,
                telemetry,
                turns,
                Optional::empty),
            values,
            states,
            duty,
            informerStopped);
  }

  /** What was saved of an object, if it was not asked for already. */
  Optional<SavedTarget> saved(String uid) {
    return states.of(uid);
  }

  /** How many targets it has in memory. */
  int liveTargets() {
    return targets.estimatedTotal();
  }

  /** What the replica reports about itself. */
  String metrics() throws IOException {
    var page = new StringWriter();
    telemetry.write(page);
    return page.toString();
  }

  /** Something that happens once, after all that the next write rests on was read. */
  void beforeTheNextWrite(Runnable change) {
    applies.beforeNext.set(change);
  }

  void begin() {
    term.begin();
  }

  void moved(int shard) {
    term.moved(Set.of(shard));
  }

  void end() {
    term.end();
  }

  @Override
  public void close() {
    end();
    publisher.close();
    states.close();
    source.close();
    applying.close();
    fits.close();
  }

  /** Why an object is not ready, as its status says. */
  String notReady(String name) {
    return unready(name).map(StatusCondition::message).orElse("");
  }

  /** The first condition of an object that is False. */
  Optional<StatusCondition> unready(String name) {
    var status =
        await()
            .atMost(Duration.ofSeconds(90))
            .until(
                () -> stored(name).<Object>get("status", "conditions"),
                conditions -> conditions instanceof List<?> list && !list.isEmpty());
    return client
        .getKubernetesSerialization()
        .convertValue(Map.of("conditions", status), PredictiveHPAStatus.class)
        .conditions()
        .stream()
        .filter(condition -> condition.status() == ConditionStatus.False)
        .findFirst();
  }

  NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      objects() {
    return client.genericKubernetesResources(KIND).inNamespace("team");
  }

  GenericKubernetesResource stored(String name) {
    return objects().withName(name).get();
  }

  GenericKubernetesResource put(String name, String averageValue) {
    return put(name, averageValue, "mode: Shadow");
  }

  /**
   * Creates or changes an object.
   *
   * @param more a line of its spec
   */
  GenericKubernetesResource put(String name, String averageValue, String more) {
    return put(name, averageValue, more, 1);
  }

  /**
   * The same.
   *
   * @param generation of the spec, which a server would count
   */
  GenericKubernetesResource put(String name, String averageValue, String more, long generation) {
    var manifest =
        """
        apiVersion: autoscaling.prescale.io/v1alpha1
        kind: PredictiveHPA
        metadata: {namespace: team, name: %s, generation: %d, finalizers: [%s]}
        spec:
          scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}
          maxReplicas: 9
          metrics: [{name: load, preset: vllm, target: {averageValue: %s}}]
          %s
        """
            .formatted(name, generation, PredictiveHPA.FINALIZER, averageValue, more);
    var resource =
        client.getKubernetesSerialization().unmarshal(manifest, GenericKubernetesResource.class);
    return objects().resource(resource).createOr(NonDeletingOperation::update);
  }
}
