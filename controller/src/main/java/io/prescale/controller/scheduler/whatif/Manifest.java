package io.prescale.controller.scheduler.whatif;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import java.time.Instant;
import java.util.List;

/**
 * The pods that a manifest's objects would have.
 *
 * @param pods each with a name and a UID of its own, in the order of the manifest
 * @param passedOver objects whose pods are not made, such as {@code Service/chat}, with the reason
 *     where they have pods
 */
public record Manifest(List<Pod> pods, List<String> passedOver) {
  public Manifest {
    pods = List.copyOf(pods);
    passedOver = List.copyOf(passedOver);
  }

  /**
   * The pods of Pods, Deployments, ReplicaSets, StatefulSets, Jobs, LeaderWorkerSets, JobSets and
   * Kubeflow's training jobs; suspended ones as if they went on.
   *
   * @param namespace of the objects that name none
   * @param cluster knows the values of priority classes
   * @param now when the pods are created
   * @throws IllegalArgumentException with a sentence, when an object lacks what pods are made of,
   *     or there are more than {@value PodMaker#MOST_PODS} pods
   * @throws NullPointerException when a pod lacks what the API server insists on
   */
  public static Manifest of(
      List<HasMetadata> objects, String namespace, ClusterObjects cluster, Instant now) {
    var maker = new PodMaker(namespace, cluster, now);
    objects.forEach(maker::add);
    maker.pods().forEach(Facts::of);
    return new Manifest(maker.pods(), maker.passedOver());
  }
}
