package io.prescale.controller.scheduler.warm;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates and deletes the pods that pull images. */
final class WarmWriter {
  private static final Logger LOG = LoggerFactory.getLogger(WarmWriter.class);
  private static final String NO_IMAGE_VOLUMES =
      "this API server serves no image volumes (beta in Kubernetes 1.33, on by default from 1.35).";

  private final KubernetesClient client;

  WarmWriter(KubernetesClient client) {
    this.client = client;
  }

  /** What became of a pod that was to be created. */
  sealed interface Outcome {
    /** It is there. */
    record Created(Pod pod) implements Outcome {}

    /** It was there already, or it is not known; it is looked at again. */
    record Unclear() implements Outcome {}

    /** It is not taken, and will not be if nothing changes. */
    record Refused(String sentence) implements Outcome {}
  }

  /** Creates one; one that has lost its images pulls nothing, and goes at once. */
  Outcome create(Pod wanted) {
    var pods = client.pods().inNamespace(wanted.getMetadata().getNamespace());
    try {
      var created = pods.resource(wanted).create();
      if (WarmManifest.isWhole(wanted, created)) {
        return new Outcome.Created(created);
      }
      pods.resource(created).delete();
      return new Outcome.Refused(NO_IMAGE_VOLUMES);
    } catch (KubernetesClientException e) {
      if (!ApiFailure.isLasting(e)) {
        LOG.debug("Whether a pod that pulls was created is not known.", e);
        return new Outcome.Unclear();
      }
      return new Outcome.Refused(ApiFailure.text(e));
    }
  }

  /**
   * Deletes one that is not needed any more; what fails is tried again.
   *
   * @return whether there was none
   */
  boolean delete(WarmPod pod) {
    try {
      return client.pods().inNamespace(pod.namespace()).withName(pod.name()).delete().isEmpty();
    } catch (KubernetesClientException e) {
      LOG.warn("Pod {} was not deleted: {}", pod.key(), ApiFailure.text(e));
      return false;
    }
  }
}
