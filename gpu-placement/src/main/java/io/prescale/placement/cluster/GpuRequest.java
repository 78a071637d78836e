package io.prescale.placement.cluster;

/**
 * One pod that wants to be placed.
 *
 * @param name unique in the cluster
 * @param shape what it needs; requests of equal shape can replace each other
 * @param standing its rights
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
