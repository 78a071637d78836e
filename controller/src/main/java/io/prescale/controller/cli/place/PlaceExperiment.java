package io.prescale.controller.cli.place;

import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.input.InputException;
import io.prescale.controller.input.InputException.Fault;
import io.prescale.controller.place.PodRow;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.experiment.ArrivalExperiment;
import io.prescale.placement.experiment.Arrivals;
import io.prescale.placement.experiment.Churn;
import io.prescale.placement.experiment.ChurnExperiment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Experiments with the cluster and the pods of two files, in a random order given by a seed. */
record PlaceExperiment(List<NodeSpec> nodes, List<PodRow> pods) {
  /** Mean number of arrivals of each pod of the file in an experiment with lifetimes. */
  private static final int VISITS_OF_A_POD = 2;

  /** Pods arrive until they have requested a share of the GPUs, and stay. */
  ExperimentTable.Run arrivals(PlacePolicy policy, int percent, long seed) {
    var random = new Random(seed);
    var cluster = shuffled(random);
    var requests = pods.stream().map(PodRow::request).toList();
    var arrivals =
        UsageException.unlessValid(
            () -> Arrivals.inflated(requests, PlaceReport.capacityMilli(nodes), percent, random));
    var fragmentation = PlacePolicy.fragmentation(pods);
    var placer = policy.placer(fragmentation, cluster);
    long begun = System.nanoTime();
    var outcome = ArrivalExperiment.run(cluster, arrivals, placer, fragmentation);
    return new ExperimentTable.Run(
        seed,
        outcome.placed(),
        outcome.refused(),
        outcome.unallocatedPercent(),
        outcome.samples().getLast().fragmentedPercent(),
        arrivals.size() / secondsSince(begun),
        outcome.samples().stream()
            .map(
                it ->
                    new ExperimentTable.Sample(
                        it.arrivedPercent(), it.unallocatedPercent(), it.fragmentedPercent()))
            .toList());
  }

  /** Pods come and go with the lifetimes of the file, requesting a share of the GPUs on average. */
  ExperimentTable.Run lifetimes(PlacePolicy policy, int percent, long seed) throws InputException {
    var random = new Random(seed);
    var cluster = shuffled(random);
    var jobs = jobs();
    var visits =
        UsageException.unlessValid(
            () ->
                Churn.visits(
                    jobs,
                    PlaceReport.capacityMilli(nodes),
                    percent,
                    VISITS_OF_A_POD * pods.size(),
                    random));
    var fragmentation = PlacePolicy.fragmentation(pods);
    var placer = policy.placer(fragmentation, cluster);
    long begun = System.nanoTime();
    var outcome = ChurnExperiment.run(cluster, visits, placer, fragmentation);
    return new ExperimentTable.Run(
        seed,
        outcome.placed(),
        outcome.refused(),
        outcome.unallocatedPercent(),
        outcome.fragmentedPercent(),
        visits.size() / secondsSince(begun),
        outcome.samples().stream()
            .map(
                it ->
                    new ExperimentTable.Sample(
                        it.untilSecond(), it.unallocatedPercent(), it.fragmentedPercent()))
            .toList());
  }

  private static double secondsSince(long begun) {
    return Math.max(1, System.nanoTime() - begun) / 1e9;
  }

  /** Shuffles the nodes, because ties go to the first one. */
  private ClusterSnapshot shuffled(RandomGenerator random) {
    var order = new ArrayList<>(nodes);
    Collections.shuffle(order, random);
    return ClusterSnapshot.of(order);
  }

  private List<Churn.Job> jobs() throws InputException {
    var jobs = new ArrayList<Churn.Job>();
    for (var pod : pods) {
      if (pod.created().isEmpty() || pod.deleted().isEmpty()) {
        throw new InputException(
            Fault.UNUSABLE,
            "Pod %s lacks creation_time or deletion_time; --lifetimes needs both for every pod."
                .formatted(pod.request().name()));
      }
      long seconds = pod.deleted().getAsLong() - pod.created().getAsLong();
      jobs.add(new Churn.Job(pod.request(), Math.max(1, seconds)));
    }
    return jobs;
  }
}
