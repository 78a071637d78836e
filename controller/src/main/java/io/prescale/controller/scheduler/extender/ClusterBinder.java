package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.placement.inventory.PodFacts;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Binds through the API server, which copies a Binding's annotations to the pod. */
final class ClusterBinder implements PodBinder {
  private static final int SERVER_ERROR = 500;
  private static final int CLIENT_ERROR = 400;

  private final KubernetesClient client;
  private final BooleanSupplier answers;

  /**
   * A binder through this client.
   *
   * @param answers whether this replica is still the one that answers; else it binds no more
   */
  ClusterBinder(KubernetesClient client, BooleanSupplier answers) {
    this.client = client;
    this.answers = answers;
  }

  @Override
  public Outcome bind(
      PodFacts pod, String node, Map<String, String> annotations, Map<String, String> labels) {
    if (!answers.getAsBoolean()) { // the pod may have waited for its turn until the term was over
      return new Outcome.Failed("this replica of the extender does not answer now");
    }
    var binding =
        new BindingBuilder()
            .withNewMetadata()
            .withNamespace(pod.namespace())
            .withName(pod.name())
            .withUid(pod.uid())
            .withAnnotations(annotations)
            .withLabels(labels)
            .endMetadata()
            .withNewTarget()
            .withApiVersion("v1")
            .withKind("Node")
            .withName(node)
            .endTarget()
            .build();
    var path = "/api/v1/namespaces/%s/pods/%s/binding".formatted(pod.namespace(), pod.name());
    try {
      client.raw(path, "POST", binding);
      return new Outcome.Bound();
    } catch (KubernetesClientException e) {
      return afterFailure(e, pod, node);
    }
  }

  /**
   * Even a refusal does not say that the pod is not bound: the client repeats a POST whose answer
   * was lost, and the repeated one may meet a bound pod, or an API server that has just started and
   * refuses everything.
   */
  private Outcome afterFailure(KubernetesClientException e, PodFacts pod, String node) {
    boolean refused = e.getCode() >= CLIENT_ERROR && e.getCode() < SERVER_ERROR;
    var outcome = resolve(pod, node);
    return refused && outcome instanceof Outcome.Failed
        ? new Outcome.Failed(ApiFailure.text(e))
        : outcome;
  }

  /** A write whose answer was lost may have taken effect. */
  @Override
  public Outcome resolve(PodFacts pod, String node) {
    try {
      var now = client.pods().inNamespace(pod.namespace()).withName(pod.name()).get();
      if (now == null || !pod.uid().equals(now.getMetadata().getUid())) {
        return new Outcome.Failed("the pod is gone");
      }
      return node.equals(now.getSpec().getNodeName())
          ? new Outcome.Bound()
          : new Outcome.Failed("the API server did not answer, and the pod is not bound");
    } catch (KubernetesClientException e) {
      return new Outcome.Unknown(ApiFailure.text(e));
    }
  }
}
