package io.prescale.placement.inventory;

import io.prescale.placement.cluster.NetworkLevels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/** The labels of nodes that say where in the network a node is. */
public final class NetworkLabels {
  /** The label of every node, which makes a node a level of its own. */
  public static final String HOSTNAME = "kubernetes.io/hostname";

  private static final Pattern KEY =
      Pattern.compile(
          "([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");

  /**
   * The labels that are in use, each a level; a cluster has a few of them. Their values are unique
   * in a cluster, so that a domain is told by its value alone: zones, switches and blocks as the
   * clouds name them, those of Topograph 0.1, 0.3 and 1.0, and the accelerator domains of both
   * Topograph and NVIDIA's GPU feature discovery.
   */
  public static final NetworkLevels KNOWN =
      new NetworkLevels(
          List.of(
                  "topology.kubernetes.io/region",
                  "topology.kubernetes.io/zone",
                  "topology.k8s.aws/network-node-layer-1",
                  "topology.k8s.aws/network-node-layer-2",
                  "topology.k8s.aws/network-node-layer-3",
                  "topology.k8s.aws/network-node-layer-4",
                  "cloud.google.com/gce-topology-block",
                  "cloud.google.com/gce-topology-subblock",
                  "cloud.google.com/gce-topology-host",
                  "oci.oraclecloud.com/rdma.hpc_island_id",
                  "oci.oraclecloud.com/rdma.network_block_id",
                  "oci.oraclecloud.com/rdma.local_block_id",
                  "network.topology.nvidia.com/datacenter",
                  "network.topology.nvidia.com/core",
                  "network.topology.nvidia.com/spine",
                  "network.topology.nvidia.com/block",
                  "network.topology.nvidia.com/leaf",
                  "fabric.topograph.run/tier-3",
                  "fabric.topograph.run/tier-2",
                  "fabric.topograph.run/tier-1",
                  "fabric.topograph.run/tier-0",
                  "network.topology.nvidia.com/accelerator",
                  "accelerator.topograph.run/domain",
                  "accelerator.topograph.run/sub-domain",
                  "nvidia.com/gpu.clique")
              .reversed(),
          false);

  private NetworkLabels() {}

  /**
   * The levels of several hierarchies, such as Kueue's Topologies: each in its order, and a label
   * that only a later one has after the one that precedes it there. Beyond {@value
   * NetworkLevels#MOST} levels, the labels that come later are left out; so are those that are no
   * keys of labels.
   *
   * @param topologies keys of labels, the largest level first
   */
  public static NetworkLevels of(Collection<List<String>> topologies) {
    var keys = new ArrayList<String>();
    for (var topology : topologies) {
      int next = 0;
      for (var key : topology) {
        int known = keys.indexOf(key);
        if (known >= 0) {
          next = known + 1;
        } else if (!key.equals(HOSTNAME)
            && KEY.matcher(key).matches()
            && keys.size() < NetworkLevels.MOST) {
          keys.add(next++, key);
        }
      }
    }
    return new NetworkLevels(keys.reversed(), true);
  }

  /**
   * Levels as a user lists them.
   *
   * @param text keys of labels with commas between them, the largest level first; a node is a level
   *     in any case
   * @throws IllegalArgumentException with a sentence for the user
   */
  public static NetworkLevels read(String text) {
    var keys = new ArrayList<>(Arrays.asList(text.split(",", -1)));
    keys.replaceAll(String::strip);
    for (var key : keys) {
      if (!KEY.matcher(key).matches()) {
        throw new IllegalArgumentException(
            "\"%s\" is not the key of a label; list keys, the largest level first, such as example.com/block,example.com/rack"
                .formatted(key.length() > 80 ? key.substring(0, 80) + "…" : key));
      }
    }
    keys.remove(HOSTNAME);
    return new NetworkLevels(keys.reversed(), true);
  }
}
