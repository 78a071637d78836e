package io.prescale.placement.claims;

import java.util.List;
import java.util.Optional;

/**
 * A ResourceSlice: a part of a driver's pool of devices.
 *
 * @param generation of the pool; slices of older ones are left over
 * @param slices that the pool has in this generation
 * @param node whose devices these are; empty when they can be reached from several
 */
public record Slice(
    String driver,
    String pool,
    long generation,
    long slices,
    Optional<String> node,
    List<Device> devices) {
  public Slice {
    devices = List.copyOf(devices);
  }
}
