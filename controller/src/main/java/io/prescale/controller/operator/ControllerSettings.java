package io.prescale.controller.operator;

import io.prescale.controller.demand.prometheus.PrometheusServer;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * How a replica of the controller is set up.
 *
 * @param prometheus the server that is asked when a PredictiveHPA names none, with the credentials
 *     of the moment
 * @param namespaces whose PredictiveHPAs count; empty for all
 * @param leaseNamespace where the Lease is by which one replica leads
 * @param identity of this replica, different from every other's
 * @param sharded whether all replicas share the work instead of one leading
 * @param limits of what a PredictiveHPA may ask for
 */
public record ControllerSettings(
    Supplier<Optional<PrometheusServer>> prometheus,
    Set<String> namespaces,
    String leaseNamespace,
    String identity,
    boolean sharded,
    TenantLimits limits) {
  private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]{1,200}");

  public ControllerSettings {
    namespaces = Set.copyOf(namespaces);
    if (leaseNamespace.isBlank() || identity.isBlank()) {
      throw new IllegalArgumentException("the lease's namespace and the identity must be given");
    }
    if (sharded && !KEY.matcher(identity).matches()) {
      throw new IllegalArgumentException(
          "the identity of a replica that shares the work has letters, digits, '.', '_' and '-'");
    }
  }

  /** A namespace in which this replica may act. */
  public String anyNamespace() {
    return namespaces.stream().findFirst().orElse(leaseNamespace);
  }
}
