package io.prescale.controller.scheduler.queues;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.scheduler.evictions.Attempts;
import io.prescale.controller.scheduler.evictions.NamedPod;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.placement.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Says on each pod with cards by which right its queue has them: with the Binding, and again when
 * that has changed for a while. Rounds are for one thread at a time.
 */
public final class QuotaMarks {
  /** The label, for {@code kubectl get pods -L}, and the annotation, for the pod itself. */
  public static final String KEY = "gpu.prescale.io/quota";

  /** A queue around its guarantee does not have its pods written again and again. */
  static final Duration SETTLED = Duration.ofMinutes(1);

  /** Pods that are written in one round, every five seconds. */
  static final int MOST_WRITES = 20;

  private static final Set<String> ENDS = Set.of("Succeeded", "Failed");

  private final PodWriter writer;
  private final Ledger ledger;
  private final Attempts attempts = new Attempts("marking pods by their queue's quota");
  private final Map<String, Marked> pods = new ConcurrentHashMap<>();

  /** Since when what is written on pods is wrong, by UID. */
  private final Map<String, Instant> wrongSince = new HashMap<>();

  /** Knows of no pods yet. */
  public QuotaMarks(PodWriter writer, Ledger ledger) {
    this.writer = writer;
    this.ledger = ledger;
  }

  /** A pod on a node, and what is written on it. */
  private record Marked(
      String uid,
      String namespace,
      String name,
      Optional<String> label,
      Optional<String> annotation)
      implements NamedPod {
    static Marked of(Pod pod) {
      var meta = pod.getMetadata();
      return new Marked(
          meta.getUid(),
          meta.getNamespace(),
          meta.getName(),
          written(meta.getLabels()),
          written(meta.getAnnotations()));
    }

    private static Optional<String> written(@Nullable Map<String, String> all) {
      return Optional.ofNullable(all).map(it -> it.get(KEY));
    }

    boolean says(Optional<String> word) {
      return label.equals(word) && annotation.equals(word);
    }
  }

  /** Records the newest state of a pod. */
  public void seen(Pod pod) {
    if (pod.getSpec().getNodeName() != null
        && pod.getMetadata().getDeletionTimestamp() == null
        && !hasEnded(pod)) {
      pods.put(pod.getMetadata().getUid(), Marked.of(pod));
    } else {
      gone(pod);
    }
  }

  private static boolean hasEnded(Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getPhase() != null
        && ENDS.contains(pod.getStatus().getPhase());
  }

  /** Removes a pod that is gone. */
  public void gone(Pod pod) {
    pods.remove(pod.getMetadata().getUid());
  }

  /** What a Binding says of a pod, besides what else it says. */
  public Map<String, String> with(String uid, Map<String, String> others) {
    var all = new HashMap<>(others);
    words(Set.of(uid)).values().forEach(word -> all.put(KEY, word));
    return all;
  }

  private Map<String, String> words(Collection<String> uids) {
    var words = new HashMap<String, String>();
    ledger.quotaUses(uids).forEach((uid, use) -> words.put(uid, use.word()));
    return words;
  }

  /** Writes on some of the pods on which it has been wrong for a while, the longest first. */
  public void round(Instant now) {
    var known = Map.copyOf(pods);
    var words = words(known.keySet());
    wrongSince.keySet().retainAll(known.keySet());
    for (var pod : known.values()) {
      if (pod.says(Optional.ofNullable(words.get(pod.uid())))) {
        wrongSince.remove(pod.uid());
      } else {
        wrongSince.putIfAbsent(pod.uid(), now);
      }
    }
    wrongSince.entrySet().stream()
        .filter(entry -> !entry.getValue().plus(SETTLED).isAfter(now))
        .filter(entry -> attempts.retries().isDue(entry.getKey(), now))
        .sorted(
            Map.Entry.<String, Instant>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .limit(MOST_WRITES)
        .flatMap(entry -> Optional.ofNullable(known.get(entry.getKey())).stream())
        .forEach(pod -> write(pod, words.get(pod.uid()), now));
    attempts.retries().forget(now);
  }

  private void write(Marked pod, @Nullable String word, Instant now) {
    var mark = new HashMap<String, @Nullable String>();
    mark.put(KEY, word);
    attempts.attempt(pod.uid(), now, () -> writer.mark(pod, mark, mark));
  }
}
