package io.prescale.controller.lab;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.lab.WeekEvent.Noticed;
import io.prescale.controller.lab.WeekEvent.Why;
import io.prescale.controller.lab.WeekEvent.Withdrawn;
import io.prescale.controller.lab.WeekPods.Asked;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Plays the controllers of the week's pods in accelerated time: creates each when it arrives,
 * deletes it when it has been bound for its lifetime, and creates one that was evicted anew, with
 * what is left of its lifetime. Thread-safe.
 */
final class WeekLife implements ResourceEventHandler<Pod>, AutoCloseable {
  private static final double NANOS = 1e9;

  private final KubernetesClient client;
  private final OwnerReference owner;
  private final double factor;
  private final SharedIndexInformer<Pod> watch;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Life> lives = new ConcurrentHashMap<>();
  private final Map<String, Instant> bound = new ConcurrentHashMap<>();
  private final Set<String> ending = ConcurrentHashMap.newKeySet();
  private final Set<String> gone = ConcurrentHashMap.newKeySet();
  private final Queue<WeekEvent> notices = new ConcurrentLinkedQueue<>();
  private final Queue<Duration> lags = new ConcurrentLinkedQueue<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Instant started;

  /** Begins to watch the pods. */
  WeekLife(KubernetesClient client, OwnerReference owner, double factor) {
    this.client = client;
    this.owner = owner;
    this.factor = factor;
    watch = client.pods().inNamespace("default").withLabel(OpenbWeek.POD).inform(this);
  }

  /**
   * One pod of the API server.
   *
   * @param copy of the trace's pod
   * @param number of those that were evicted before it
   * @param seconds that it has yet to live, of the trace
   */
  record Life(Asked pod, int copy, int number, double seconds) {
    String kin() {
      return pod.name() + "-" + copy;
    }

    String name() {
      return kin() + "-" + number;
    }

    private Life after(double lived) {
      return new Life(pod, copy, number + 1, seconds - lived);
    }
  }

  /** Creates a pod soon, without a lifetime before the clock starts. */
  void create(Life life) {
    lives.put(life.name(), life);
    requests.execute(() -> attempt(() -> createNow(life)));
  }

  private void createNow(Life life) {
    client
        .pods()
        .inNamespace("default")
        .resource(life.pod().pod(life.name(), life.kin(), owner))
        .create();
  }

  /** Starts the clock at a second of the trace; pods that are bound begin to live. */
  void start(long second, List<Life> arriving) {
    var now = Instant.now();
    started = now;
    bound.forEach((name, _) -> endLater(name, now));
    for (var life : arriving) {
      var at = now.plus(real((double) (life.pod().arrives() - second)));
      later(
          at,
          () -> {
            create(life);
            lags.add(Duration.between(at, Instant.now()));
          });
    }
  }

  private Duration real(double traceSeconds) {
    return Duration.ofNanos((long) (traceSeconds / factor * NANOS));
  }

  private void later(Instant at, Runnable what) {
    var _ =
        clock.schedule(what, Duration.between(Instant.now(), at).toNanos(), TimeUnit.NANOSECONDS);
  }

  private void endLater(String name, Instant from) {
    var life = lives.get(name);
    if (life != null) {
      later(from.plus(real(life.seconds())), () -> requests.execute(() -> end(name)));
    }
  }

  private void end(String name) {
    if (!gone.contains(name)) {
      ending.add(name);
      attempt(
          () -> client.pods().inNamespace("default").withName(name).withGracePeriod(0L).delete());
    }
  }

  private void attempt(Runnable request) {
    try {
      request.run();
    } catch (RuntimeException e) {
      failures.add(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void onAdd(Pod pod) {
    seen(pod);
  }

  @Override
  public void onUpdate(Pod before, Pod pod) {
    for (var why : Why.values()) {
      var had = ExtenderCluster.annotation(before, why.annotation);
      var has = ExtenderCluster.annotation(pod, why.annotation);
      if (!had.equals(has)) {
        var name = pod.getMetadata().getName();
        notices.add(
            has.isEmpty()
                ? new Withdrawn(Instant.now(), name, why)
                : new Noticed(Instant.now(), name, why, Instant.parse(has)));
      }
    }
    seen(pod);
  }

  private void seen(Pod pod) {
    var name = pod.getMetadata().getName();
    var now = Instant.now();
    if (pod.getSpec().getNodeName() != null
        && bound.putIfAbsent(name, now) == null
        && started != null) {
      endLater(name, now);
    }
  }

  @Override
  public void onDelete(Pod pod, boolean unknown) {
    var name = pod.getMetadata().getName();
    var from = bound.get(name);
    var life = lives.get(name);
    var start = started;
    gone.add(name);
    if (life != null && start != null && from != null && !ending.contains(name)) {
      var since = from.isBefore(start) ? start : from;
      create(life.after(Duration.between(since, Instant.now()).toNanos() / NANOS * factor));
    }
  }

  /** Nothing is created or deleted any more. */
  void stop() {
    clock.shutdownNow();
    started = null;
  }

  Map<String, Life> lives() {
    return Map.copyOf(lives);
  }

  int bound() {
    return bound.size();
  }

  /** Notices and their withdrawals, as they were seen. */
  Collection<WeekEvent> notices() {
    return new ArrayList<>(notices);
  }

  /** By how much pods were created too late, the shortest time first. */
  List<Duration> lags() {
    return lags.stream().sorted().toList();
  }

  /** Why requests failed. */
  Collection<String> failures() {
    return new ArrayList<>(failures);
  }

  @Override
  public void close() {
    clock.shutdownNow();
    watch.close();
    requests.shutdownNow();
  }
}
