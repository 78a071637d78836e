package io.prescale.controller.scheduler.queues;

import io.prescale.controller.api.v1alpha1.QueueCondition.Reason;
import io.prescale.controller.scheduler.queues.QueueReader.Written;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.queue.AdmittedQueues;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The GpuQueues as they are written, and which of them are in force. Thread-safe. */
public final class WrittenQueues {
  /** In force for pods without a queue while no GpuQueue of its name is written. */
  private static final QueueEntry DEFAULT =
      new QueueEntry(PodFacts.DEFAULT_QUEUE, Optional.empty(), Quota.train(0, 1));

  /** In force while the default queue is written and none can be: without any, nothing is kept. */
  private static final QueueEntry CLOSED =
      new QueueEntry(PodFacts.DEFAULT_QUEUE, Optional.empty(), Quota.build(0));

  private final Map<String, Written> written = new TreeMap<>();
  private AdmittedQueues admitted = new AdmittedQueues(Map.of(), Map.of());
  private boolean listed;

  /** Why a queue is not in force as it is written. */
  record Fault(Reason reason, String sentence) {}

  /** Records the newest state of a GpuQueue; returns the queues in force. */
  synchronized Collection<QueueEntry> seen(Written queue) {
    written.put(queue.name(), queue);
    return admit();
  }

  /**
   * Records that all GpuQueues are known. Before, they come one by one in any order, so that one is
   * in force already is no reason to prefer it to an older one.
   *
   * @param all as they are now
   * @return the queues in force
   */
  public synchronized Collection<QueueEntry> listed(Collection<Written> all) {
    all.forEach(queue -> written.put(queue.name(), queue));
    var inForce = admit();
    listed = true;
    return inForce;
  }

  /** Removes a GpuQueue that is gone; returns the queues in force. */
  synchronized Collection<QueueEntry> gone(String name) {
    written.remove(name);
    return admit();
  }

  private Collection<QueueEntry> admit() {
    var wanted =
        written.values().stream()
            .sorted(Comparator.comparing(WrittenQueues::created).thenComparing(Written::name))
            .flatMap(queue -> queue.entry().or(() -> inForce(queue.name())).stream())
            .toList();
    admitted = AdmittedQueues.of(wanted, listed ? admitted.inForce() : Map.of());
    return withDefault(admitted.inForce().values(), written.keySet());
  }

  /**
   * The queues in force with one for pods that name none; none at all where none is written.
   *
   * @param written the names of all that are written, in force or not
   */
  static Collection<QueueEntry> withDefault(Collection<QueueEntry> inForce, Set<String> written) {
    if (written.isEmpty()) {
      return List.of();
    }
    var all = new ArrayList<>(inForce);
    if (!written.contains(DEFAULT.name())) {
      all.add(DEFAULT);
    } else if (all.isEmpty()) {
      all.add(CLOSED);
    }
    return all;
  }

  private static String created(Written queue) {
    return Optional.ofNullable(queue.queue().getMetadata().getCreationTimestamp()).orElse("");
  }

  private Optional<QueueEntry> inForce(String name) {
    return Optional.ofNullable(admitted.inForce().get(name));
  }

  /** All that are written, by name. */
  synchronized List<Written> all() {
    return List.copyOf(written.values());
  }

  /** On which terms the queues in force give cards back; those that do not are left out. */
  public synchronized Map<String, ReclaimPolicy> policies() {
    var policies = new TreeMap<String, ReclaimPolicy>();
    written.values().stream()
        .filter(queue -> isInForce(queue.name()))
        .forEach(
            queue ->
                QueueReader.policy(queue.queue())
                    .ifPresent(policy -> policies.put(queue.name(), policy)));
    return policies;
  }

  /** Why a queue is not in force as it is written, if it is not. */
  synchronized Optional<Fault> fault(String name) {
    var queue = Optional.ofNullable(written.get(name));
    if (queue.filter(known -> known.entry().isEmpty()).isPresent()) {
      return Optional.of(
          new Fault(
              Reason.InvalidSpec, "the spec cannot be read; write it as the definition says"));
    }
    return Optional.ofNullable(admitted.faults().get(name))
        .map(fault -> new Fault(reason(fault.kind()), fault.sentence()));
  }

  private static Reason reason(AdmittedQueues.Kind kind) {
    return switch (kind) {
      case UNKNOWN_PARENT -> Reason.UnknownParent;
      case CYCLE -> Reason.Cycle;
      case TOO_DEEP -> Reason.TooDeep;
      case GUARANTEE_BEYOND_PARENT -> Reason.GuaranteeBeyondParent;
      case MODELS_OVERLAP -> Reason.ModelsOverlap;
    };
  }

  /** Whether an entry of this name is in force, be it an earlier one. */
  synchronized boolean isInForce(String name) {
    return admitted.inForce().containsKey(name);
  }
}
