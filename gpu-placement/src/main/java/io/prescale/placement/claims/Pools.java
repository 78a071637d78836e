package io.prescale.placement.claims;

import io.prescale.placement.claims.Device.Address;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The pools of devices, slice by slice. A pool counts when all slices of its newest generation
 * exist, as in Kubernetes' allocator. A change costs O(slices of the pool).
 */
final class Pools {
  /** {@code gpu-2} comes before {@code gpu-10}. */
  private static final Comparator<Address> ORDER =
      Comparator.comparing(Address::driver)
          .thenComparing(Address::pool)
          .thenComparingInt(address -> address.name().length())
          .thenComparing(Address::name);

  private final Map<String, Slice> slices = new HashMap<>();
  private final Map<Key, Set<String>> members = new HashMap<>();
  private final Map<String, Set<Key>> poolsOf = new HashMap<>();

  private record Key(String driver, String pool) {
    static Key of(Slice slice) {
      return new Key(slice.driver(), slice.pool());
    }

    @Override
    public String toString() {
      return driver + "/" + pool;
    }
  }

  /**
   * What a node has.
   *
   * @param problems one sentence for every pool that does not count
   */
  record Found(Map<Address, Device> devices, List<String> problems) {}

  /** Records a slice; returns the nodes whose devices may have changed. */
  Set<String> put(String object, Slice slice) {
    var touched = remove(object);
    var key = Key.of(slice);
    touched.addAll(unlink(key));
    slices.put(object, slice);
    members.computeIfAbsent(key, _ -> new HashSet<>()).add(object);
    touched.addAll(link(key));
    return touched;
  }

  /** Removes a slice; returns the nodes whose devices may have changed. */
  Set<String> remove(String object) {
    var slice = slices.get(object);
    if (slice == null) {
      return new HashSet<>();
    }
    var key = Key.of(slice);
    var touched = unlink(key);
    slices.remove(object);
    members.getOrDefault(key, new HashSet<>()).remove(object);
    link(key);
    return touched;
  }

  private Set<String> link(Key key) {
    var nodes = nodesOf(key);
    nodes.forEach(node -> poolsOf.computeIfAbsent(node, _ -> new HashSet<>()).add(key));
    return nodes;
  }

  private Set<String> unlink(Key key) {
    var nodes = nodesOf(key);
    nodes.forEach(node -> poolsOf.getOrDefault(node, new HashSet<>()).remove(key));
    return nodes;
  }

  private Set<String> nodesOf(Key key) {
    var nodes = new HashSet<String>();
    slicesOf(key).forEach(slice -> slice.node().ifPresent(nodes::add));
    return nodes;
  }

  private List<Slice> slicesOf(Key key) {
    return new TreeSet<>(members.getOrDefault(key, Set.of()))
        .stream().map(slices::get).flatMap(slice -> Optional.ofNullable(slice).stream()).toList();
  }

  /** The devices of a node, always in the same order. */
  Found on(String node) {
    var devices = new TreeMap<Address, Device>(ORDER);
    var problems = new ArrayList<String>();
    for (var key : poolsOf.getOrDefault(node, Set.of())) {
      read(key, node, devices, problems);
    }
    return new Found(devices, problems);
  }

  private void read(Key key, String node, Map<Address, Device> devices, List<String> problems) {
    var all = slicesOf(key);
    long newest = all.stream().mapToLong(Slice::generation).max().orElse(0);
    var current = all.stream().filter(slice -> slice.generation() == newest).toList();
    long wanted = current.getFirst().slices();
    if (current.size() != wanted) {
      problems.add(
          "pool %s is not used: %d of its %d slices of generation %d are there."
              .formatted(key, current.size(), wanted, newest));
      return;
    }
    var found = new HashMap<Address, Device>();
    var names = new HashSet<String>();
    for (var slice : current) {
      for (var device : slice.devices()) {
        if (!names.add(device.name())) {
          problems.add(
              "pool %s is not used: device %s is in it twice.".formatted(key, device.name()));
          return;
        }
        if (slice.node().filter(node::equals).isPresent()) {
          found.put(new Address(key.driver(), key.pool(), device.name()), device);
        }
      }
    }
    devices.putAll(found);
  }
}
