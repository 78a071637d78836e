package io.prescale.controller.demo;

import io.prescale.controller.autoscaling.ScaleUp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The scale-ups whose pods are not all ready yet. Not thread-safe. */
final class ScaleUps {
  private final List<Pending> pending = new ArrayList<>();

  /** Pods that one decision created. */
  private record Pending(Workload workload, Instant decided, List<String> names) {}

  /** A scale-up whose pods are all ready, or gone. */
  record Finished(Workload workload, ScaleUp scaleUp) {}

  void add(Workload workload, Instant decided, List<String> names) {
    if (!names.isEmpty()) {
      pending.add(new Pending(workload, decided, names));
    }
  }

  /** Takes out the finished ones. */
  List<Finished> finished(Function<Workload, List<Pod>> pods, Instant now) {
    var finished = new ArrayList<Finished>();
    pending.removeIf(
        one -> {
          var left =
              pods.apply(one.workload()).stream()
                  .filter(pod -> one.names().contains(pod.name()))
                  .toList();
          if (!left.stream().allMatch(pod -> pod.isReady(now))) {
            return false;
          }
          var starts = left.stream().map(Pod::start).toList();
          return finished.add(new Finished(one.workload(), new ScaleUp(one.decided(), starts)));
        });
    return finished;
  }
}
