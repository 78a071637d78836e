package io.prescale.placement.claims;

import java.util.List;
import java.util.Map;

/**
 * A device as a driver publishes it.
 *
 * @param name unique in its pool
 * @param attributes by their names with domain, such as {@code gpu.example.com/uuid}
 * @param capacities by their names as the driver writes them
 * @param shared whether several claims may have parts of it
 * @param taints that keep new claims away
 * @param cut whether it takes from counters that other devices take from too, as MIG partitions do
 */
public record Device(
    String name,
    Map<String, Attribute> attributes,
    Map<String, ConsumableCapacity> capacities,
    boolean shared,
    List<Taint> taints,
    boolean cut) {

  public Device {
    attributes = Map.copyOf(attributes);
    capacities = Map.copyOf(capacities);
    taints = List.copyOf(taints);
  }

  Device withTaints(List<Taint> newTaints) {
    return new Device(name, attributes, capacities, shared, newTaints, cut);
  }

  /** A value with its type, because CEL never takes one type for another. */
  public record Attribute(Kind kind, String text) {
    /** Types of attributes. */
    public enum Kind {
      TEXT,
      NUMBER,
      FLAG,
      VERSION
    }

    static Attribute text(String text) {
      return new Attribute(Kind.TEXT, text);
    }
  }

  /**
   * Where a device is found.
   *
   * @param pool of the driver
   * @param name in the pool
   */
  public record Address(String driver, String pool, String name) {
    @Override
    public String toString() {
      return driver + "/" + pool + "/" + name;
    }
  }
}
