package io.prescale.controller.cli.options;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.KubernetesAccess;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster. */
public final class KubernetesOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "How to reach the cluster (default: $KUBECONFIG, ~/.kube/config, or the pod's service"
              + " account).")
  @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (default: its current one).")
  @Nullable String context;

  public KubernetesClient client() throws ClusterException {
    try {
      return KubernetesAccess.open(Optional.ofNullable(kubeconfig), Optional.ofNullable(context));
    } catch (NoSuchFileException e) {
      throw new UsageException("--kubeconfig: there is no file %s.".formatted(e.getFile()));
    } catch (IOException | KubernetesClientException | IllegalArgumentException e) {
      throw new ClusterException("The kubeconfig cannot be used: %s.".formatted(innermost(e)), e);
    }
  }

  private static @Nullable String innermost(Throwable problem) {
    var cause = problem;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage();
  }
}
