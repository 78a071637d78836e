package io.prescale.controller.cli.place;

import io.prescale.controller.cli.options.KubernetesOptions;
import io.prescale.controller.cli.options.Names;
import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.cli.terminal.OutputFile;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.objects.ReadingOptions;
import io.prescale.placement.inventory.NetworkLabels;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of {@code prescale place} about a Kubernetes cluster. */
final class ClusterInputs {
  @Option(
      names = "--manifest",
      paramLabel = "FILE",
      description =
          "YAML or JSON with the objects whose pods are placed: Pods, Deployments, ReplicaSets,"
              + " StatefulSets, Jobs, LeaderWorkerSets, JobSets, Kubeflow's training jobs.")
  @Nullable Path manifest;

  @Option(
      names = "--cluster",
      description = "Places them on the running cluster, which is only read.")
  boolean running;

  @Option(
      names = "--snapshot",
      paramLabel = "FILE",
      description =
          "Places them on a saved cluster: what --save wrote, or kubectl get -A -o json printed of"
              + " nodes, pods, namespaces, priority classes, GpuQueues and GpuBookings; or a folder"
              + " with such objects in files, as of a support bundle.")
  @Nullable Path snapshot;

  @Needs("--cluster")
  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Writes what was read of the running cluster, for --snapshot.")
  @Nullable OutputFile save;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description =
          "Namespace of objects that name none (default: the kubeconfig's; of a saved cluster"
              + " default).")
  @Nullable String namespace;

  @Option(
      names = "--topology-levels",
      paramLabel = "LABEL,...",
      description = "The option of the same name of the cluster's extender.")
  @Nullable String topologyLevels;

  @Option(
      names = "--queue-system",
      paramLabel = "SYSTEM",
      description =
          "The option --queues of the cluster's extender: whose queues pods are of, prescale,"
              + " kueue, kai or volcano (default: prescale).")
  @Nullable String queueSystem;

  @ArgGroup(validate = false)
  KubernetesOptions kubernetes = new KubernetesOptions();

  boolean areGiven() {
    return manifest != null
        || running
        || snapshot != null
        || save != null
        || namespace != null
        || topologyLevels != null
        || queueSystem != null;
  }

  /** As the cluster's extender reads it. */
  ReadingOptions reading() {
    var levels =
        Optional.ofNullable(topologyLevels)
            .map(
                it ->
                    UsageException.unlessValid("--topology-levels", () -> NetworkLabels.read(it)));
    var system = Objects.requireNonNullElse(queueSystem, "prescale");
    return new ReadingOptions(
        levels,
        UsageException.unlessValid(
            "--queue-system", () -> Names.find("system", system, QueueSource.class)));
  }

  /** Whose queues are read; with what is saved, any may be tried later. */
  Set<QueueSource> queueSystems() {
    return save == null ? Set.of(reading().queues()) : EnumSet.allOf(QueueSource.class);
  }

  Path manifest() {
    return Objects.requireNonNull(manifest);
  }

  /** Of objects that name none. */
  String namespace() throws ClusterException {
    if (namespace != null) {
      return namespace;
    }
    return running ? kubernetes.access().namespace() : "default";
  }

  void requireSense() {
    if (running == (snapshot != null)) {
      throw new UsageException(
          "Which cluster? Give --cluster for the running one, or --snapshot FILE for a saved one.");
    }
    if (save != null && save.isStandardOutput()) {
      throw new UsageException(
          "--save - would mix the cluster with the places on standard output; name a file.");
    }
    if (manifest == null) {
      throw new UsageException("--manifest FILE is missing: the objects whose pods are placed.");
    }
    reading();
  }
}
