package io.prescale.controller.cli.options;

import io.prescale.controller.cluster.ClusterAccess;
import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster. */
public final class KubernetesOptions {
  /** Its name; commands that have it reach a cluster. */
  public static final String KUBECONFIG = "--kubeconfig";

  @Option(
      names = KUBECONFIG,
      paramLabel = "FILE",
      description =
          "How to reach the cluster (default: $KUBECONFIG,%n~/.kube/config, or the pod's service"
              + " account).")
  @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (default: its current one).")
  @Nullable String context;

  /** The cluster, which has not been asked yet. */
  public ClusterAccess access() {
    if (kubeconfig != null) {
      requireReadable(kubeconfig);
    }
    return new ClusterAccess(Optional.ofNullable(kubeconfig), Optional.ofNullable(context));
  }

  /** Refuses these options where no cluster is reached, because another option is missing. */
  public void requireNoneWithout(String missing) {
    if (kubeconfig != null || context != null) {
      throw new UsageException(
          "--kubeconfig and --context have no effect without %s; add it, or remove them."
              .formatted(missing));
    }
  }

  private static void requireReadable(Path file) {
    try {
      file.getFileSystem().provider().checkAccess(file, AccessMode.READ);
    } catch (IOException e) {
      throw UnreachableException.ofFile(KUBECONFIG, file, e);
    }
  }
}
