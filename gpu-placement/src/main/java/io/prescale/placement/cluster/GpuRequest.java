package io.prescale.placement.cluster;

/**
 * A pod to be placed.
 *
 * @param name unique in the cluster
 * @param shape its requirements; requests of equal shape are interchangeable
 * @param standing its queue, priority and gang
 */
public record GpuRequest(String name, RequestShape shape, Standing standing) {
  public GpuRequest {
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a request is blank");
    }
  }

  public GpuRequest(String name, RequestShape shape) {
    this(name, shape, Standing.DEFAULT);
  }
}
