package io.prescale.controller.scheduler.extender;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.placement.ledger.Utilisation.Membership;
import io.prescale.placement.ledger.Utilisation.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Queue and workload of every pod, by UID. Thread-safe. */
final class Memberships {
  /** By which queue systems know a pod's queue, the more particular first. */
  private static final List<String> QUEUES =
      List.of(
          Facts.QUEUE,
          "kueue.x-k8s.io/queue-name",
          "kai.scheduler/queue",
          "volcano.sh/queue-name",
          "quota.scheduling.koordinator.sh/name");

  private static final String TEMPLATE_HASH = "pod-template-hash";

  private final Map<String, Membership> pods = new ConcurrentHashMap<>();

  void seen(Pod pod) {
    pods.put(pod.getMetadata().getUid(), of(pod));
  }

  void gone(Pod pod) {
    pods.remove(pod.getMetadata().getUid());
  }

  Optional<Membership> of(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }

  /** Without a queue, the namespace counts as one. */
  static Membership of(Pod pod) {
    var meta = pod.getMetadata();
    var labels = orEmpty(meta.getLabels());
    var annotations = orEmpty(meta.getAnnotations());
    var queue =
        QUEUES.stream()
            .flatMap(key -> Stream.ofNullable(labels.getOrDefault(key, annotations.get(key))))
            .filter(name -> !name.isBlank())
            .findFirst();
    return new Membership(
        queue.orElse(meta.getNamespace()),
        new Workload(meta.getNamespace(), workload(pod, labels)));
  }

  /** A ReplicaSet stands for its Deployment; pods without an owner are counted together. */
  private static String workload(Pod pod, Map<String, String> labels) {
    var owners = pod.getMetadata().getOwnerReferences();
    var owner =
        orEmpty(owners).stream().filter(o -> Boolean.TRUE.equals(o.getController())).findFirst();
    if (owner.isEmpty()) {
      return "Pod";
    }
    var name = owner.get().getName();
    var hash = "-" + labels.getOrDefault(TEMPLATE_HASH, "");
    return owner.get().getKind().equals("ReplicaSet") && hash.length() > 1 && name.endsWith(hash)
        ? "Deployment/" + name.substring(0, name.length() - hash.length())
        : owner.get().getKind() + "/" + name;
  }
}
