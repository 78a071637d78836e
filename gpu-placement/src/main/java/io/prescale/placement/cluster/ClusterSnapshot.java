package io.prescale.placement.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All nodes of a cluster at one moment. Immutable; a copy with one changed node shares everything
 * else.
 *
 * <p>The nodes are stored in blocks of 64, so a change among n nodes copies 64 + n / 64 references.
 * The order of the nodes never changes; it breaks ties.
 */
public final class ClusterSnapshot {
  private static final int BLOCK_BITS = 6;
  private static final int BLOCK = 1 << BLOCK_BITS;

  private final GpuNode[][] blocks;
  private final int size;
  private final Map<String, Integer> indices;

  private ClusterSnapshot(GpuNode[][] blocks, int size, Map<String, Integer> indices) {
    this.blocks = blocks;
    this.size = size;
    this.indices = indices;
  }

  /**
   * A cluster without placements.
   *
   * @throws IllegalArgumentException when two nodes have the same name
   */
  public static ClusterSnapshot of(List<NodeSpec> specs) {
    return ofNodes(specs.stream().map(GpuNode::of).toList());
  }

  /**
   * A cluster of nodes with their placements.
   *
   * @throws IllegalArgumentException when two nodes have the same name
   */
  public static ClusterSnapshot ofNodes(List<GpuNode> nodes) {
    int size = nodes.size();
    var blocks = new GpuNode[(size + BLOCK - 1) >> BLOCK_BITS][];
    var indices = HashMap.<String, Integer>newHashMap(size);
    for (int block = 0; block < blocks.length; block++) {
      int from = block << BLOCK_BITS;
      blocks[block] = nodes.subList(from, Math.min(size, from + BLOCK)).toArray(GpuNode[]::new);
    }
    for (int index = 0; index < size; index++) {
      if (indices.put(nodes.get(index).name(), index) != null) {
        throw new IllegalArgumentException("two nodes have the name " + nodes.get(index).name());
      }
    }
    return new ClusterSnapshot(blocks, size, indices);
  }

  public int size() {
    return size;
  }

  /** The node at an index from 0 to {@code size() - 1}. */
  public GpuNode node(int index) {
    return blocks[index >> BLOCK_BITS][index & (BLOCK - 1)];
  }

  public Optional<GpuNode> find(String name) {
    return Optional.ofNullable(indices.get(name)).map(this::node);
  }

  /** The index of the node with this name; empty when there is none. */
  public OptionalInt index(String name) {
    var index = indices.get(name);
    return index == null ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /** The nodes in the order that breaks ties. */
  public Stream<GpuNode> nodes() {
    return IntStream.range(0, size).mapToObj(this::node);
  }

  /** All placements, node by node. */
  public Stream<Placement> placements() {
    return nodes().flatMap(node -> node.placements().stream());
  }

  /**
   * The cluster with one more placement.
   *
   * @throws IllegalArgumentException when its node does not exist or cannot hold it ({@link
   *     GpuNode#with})
   */
  public ClusterSnapshot with(Placement placement) {
    int index = indexOf(placement.node());
    return withNode(index, node(index).with(placement));
  }

  /**
   * The cluster without a placement.
   *
   * @throws IllegalArgumentException when the placement does not exist
   */
  public ClusterSnapshot without(Placement placement) {
    int index = indexOf(placement.node());
    return withNode(index, node(index).without(placement.request().name()));
  }

  /**
   * The cluster with a node that replaces the one of the same name, or is appended if there is
   * none. Appending to n nodes copies n references.
   */
  public ClusterSnapshot withNode(GpuNode node) {
    var index = indices.get(node.name());
    return index == null
        ? ofNodes(Stream.concat(nodes(), Stream.of(node)).toList())
        : withNode(index, node);
  }

  /** The cluster without the node of this name, if it exists; copies n references. */
  public ClusterSnapshot withoutNode(String name) {
    return indices.containsKey(name)
        ? ofNodes(nodes().filter(node -> !node.name().equals(name)).toList())
        : this;
  }

  private ClusterSnapshot withNode(int index, GpuNode node) {
    var newBlocks = blocks.clone();
    var newBlock = blocks[index >> BLOCK_BITS].clone();
    newBlock[index & (BLOCK - 1)] = node;
    newBlocks[index >> BLOCK_BITS] = newBlock;
    return new ClusterSnapshot(newBlocks, size, indices);
  }

  private int indexOf(String name) {
    var index = indices.get(name);
    if (index == null) {
      throw new IllegalArgumentException("the cluster has no node " + name);
    }
    return index;
  }
}
