package io.prescale.controller.fleet;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NetworkScope;
import java.util.OptionalLong;

/**
 * A pod of a file.
 *
 * @param gangScope how near each other the members of its gang must be
 * @param created seconds from the start of the trace
 * @param deleted likewise; never before {@code created}
 */
public record PodRow(
    GpuRequest request, NetworkScope gangScope, OptionalLong created, OptionalLong deleted) {}
