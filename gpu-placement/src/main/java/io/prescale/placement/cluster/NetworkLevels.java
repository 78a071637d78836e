package io.prescale.placement.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The levels of a network between the node and the cluster, such as racks and blocks.
 *
 * @param names from the smallest level to the largest
 * @param nested whether a name is that of a domain within the domains of the larger levels, so that
 *     racks of one name in two blocks are two racks; otherwise it identifies the domain by itself
 */
public record NetworkLevels(List<String> names, boolean nested) {
  public static final int MOST = 32;

  public NetworkLevels {
    names = List.copyOf(names);
    if (names.size() > MOST || names.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "a network has at most %d levels, each with a name, not %s".formatted(MOST, names));
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException("two levels have one name in %s".formatted(names));
    }
  }

  /** One domain of the level of a name; empty when there is no such level. */
  public Optional<NetworkScope> scope(String name) {
    int level = names.indexOf(name);
    return level < 0 ? Optional.empty() : Optional.of(new NetworkScope(level + 1, name));
  }

  /** All scopes, from one node to the cluster. */
  public List<NetworkScope> scopes() {
    var scopes = new ArrayList<NetworkScope>();
    scopes.add(NetworkScope.NODE);
    names.forEach(name -> scopes.add(new NetworkScope(scopes.size(), name)));
    scopes.add(NetworkScope.CLUSTER);
    return scopes;
  }

  /**
   * The position of a node.
   *
   * @param domainByLevel names of domains; those of levels that are not among these are passed over
   */
  public NodePosition position(Map<String, String> domainByLevel) {
    var domains = new ArrayList<String>();
    var around = "";
    for (var level : names.reversed()) {
      var name = domainByLevel.getOrDefault(level, "");
      var domain = name.isEmpty() ? "" : around + name;
      domains.addFirst(domain);
      around = nested && !domain.isEmpty() ? domain + "/" : around;
    }
    return domains.stream().allMatch(String::isEmpty)
        ? NodePosition.UNKNOWN
        : new NodePosition(domains);
  }
}
