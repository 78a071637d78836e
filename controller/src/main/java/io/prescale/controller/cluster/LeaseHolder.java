package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who holds a Lease. */
public final class LeaseHolder {
  private LeaseHolder() {}

  /** The holder's identity; empty of a Lease that is absent or held by none. */
  public static Optional<String> of(@Nullable Lease lease) {
    return Optional.ofNullable(lease)
        .map(Lease::getSpec)
        .flatMap(spec -> Optional.ofNullable(spec.getHolderIdentity()))
        .filter(holder -> !holder.isEmpty());
  }
}
