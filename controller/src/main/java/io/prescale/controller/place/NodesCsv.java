package io.prescale.controller.place;

import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.CsvTable;
import io.prescale.controller.input.Excerpt;
import io.prescale.controller.input.InputException;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.NetworkLevels;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.mig.MigCards;
import io.prescale.placement.topology.KnownMachines;
import io.prescale.placement.topology.LinkMatrix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The nodes of a cluster in CSV, one row each.
 *
 * <p>The five required columns are those of Alibaba's openb trace (cluster-trace-gpu-v2023); the
 * others add what the trace does not have.
 */
public final class NodesCsv {
  /** The levels of the network that files name. */
  public static final NetworkLevels LEVELS =
      new NetworkLevels(List.of("NVLink domain", "rack", "block"), true);

  static final NetworkScope NVLINK_DOMAIN = LEVELS.scopes().get(1);
  static final NetworkScope RACK = LEVELS.scopes().get(2);
  static final NetworkScope BLOCK = LEVELS.scopes().get(3);

  static final List<String> REQUIRED = List.of("sn", "cpu_milli", "memory_mib", "gpu", "model");
  static final List<String> KNOWN =
      Stream.of(
              REQUIRED,
              List.of("vendor", "gpu_memory_mib", "partitioning", "slots", "uuids"),
              HealthColumns.NAMES,
              List.of("machine", "links", "nvlink_domain", "rack", "block", "images", "readiness"))
          .flatMap(List::stream)
          .toList();

  private static final Map<String, Partitioning> PARTITIONINGS =
      Map.of(
          "whole", Partitioning.WHOLE,
          "time-sliced", Partitioning.TIME_SLICED,
          "mps", Partitioning.MPS,
          "vgpu", Partitioning.VGPU,
          "hami-core", Partitioning.HAMI_CORE,
          "mig", Partitioning.MIG);
  private static final Map<String, Readiness> READINESS =
      Map.of(
          "ready", Readiness.READY,
          "not-ready", Readiness.NOT_READY,
          "cordoned", Readiness.CORDONED);
  private static final Map<String, LinkMatrix> MACHINES =
      Map.of(
          "dgx1-v100", KnownMachines.dgx1V100(),
          "dgx-a100", KnownMachines.dgxA100(),
          "hgx-h100", KnownMachines.hgxH100(),
          "pcie", KnownMachines.pcieOnly());

  private NodesCsv() {}

  /** Reads every row; two nodes of one name or two cards of one UUID are refused. */
  public static List<NodeSpec> read(CsvFile file) throws InputException, InterruptedException {
    return file.read(NodesCsv::nodes);
  }

  private static List<NodeSpec> nodes(CsvTable table)
      throws InputException, IOException, InterruptedException {
    var header = table.readHeader(String.join(",", REQUIRED));
    var columns = new Columns(table, header, KNOWN, REQUIRED);
    var nodes = new ArrayList<NodeSpec>();
    var names = new HashSet<String>();
    var uuids = new HashSet<String>();
    while (table.next()) {
      var node = node(columns);
      columns.requireNew("sn", node.name(), names);
      for (var gpu : node.gpus()) {
        columns.requireNew("uuids", gpu.uuid(), uuids);
      }
      nodes.add(node);
    }
    return nodes;
  }

  private static NodeSpec node(Columns row) throws InputException {
    var name = row.text("sn");
    var node =
        new NodeSpec(
            name,
            row.whole("cpu_milli", 0, Columns.MOST_CPU_MILLI),
            row.whole("memory_mib", 0, Columns.MOST_MEMORY_MIB),
            gpus(row, name),
            Optional.empty(),
            Optional.empty(),
            LEVELS.position(
                Map.of(
                    NVLINK_DOMAIN.name(),
                    row.optionalText("nvlink_domain").orElse(""),
                    RACK.name(),
                    row.optionalText("rack").orElse(""),
                    BLOCK.name(),
                    row.optionalText("block").orElse(""))),
            row.names("images"),
            row.choice("readiness", READINESS).orElse(Readiness.READY));
    var links = LinksColumn.read(row, node.gpus().size());
    var machine = row.choice("machine", MACHINES);
    if (links.isPresent() && machine.isPresent()) {
      throw row.problem("links", "and machine say the same; leave one of them empty");
    }
    if (links.isPresent()) {
      return node.withLinks(links.get());
    }
    return machine.isEmpty() ? node : withLinks(row, node, machine.get());
  }

  private static NodeSpec withLinks(Columns row, NodeSpec node, LinkMatrix links)
      throws InputException {
    if (links.cards() != node.gpus().size()) {
      throw row.problem(
          "machine",
          "such a machine has %d cards and this node %d"
              .formatted(links.cards(), node.gpus().size()));
    }
    return node.withLinks(links);
  }

  private static List<Gpu> gpus(Columns row, String node) throws InputException {
    int count = row.whole("gpu", 0, NodeSpec.MAX_GPUS);
    if (count == 0) {
      return List.of();
    }
    var model = row.text("model");
    int memory = row.optionalWhole("gpu_memory_mib", 1, Columns.MOST_GPU_MEMORY_MIB).orElse(0);
    var vendor = row.optionalText("vendor").orElse("nvidia");
    var uuids = uuids(row, node, count);
    var partitionings = row.perCard("partitioning", count, PARTITIONINGS, Partitioning.HAMI_CORE);
    var health = HealthColumns.read(row, count);
    var slots = row.optionalWhole("slots", 1, Gpu.WHOLE_MILLI);
    var gpus = new ArrayList<Gpu>();
    for (int card = 0; card < count; card++) {
      var whole = Gpu.whole(uuids.get(card), vendor, model, memory).withHealth(health.get(card));
      gpus.add(divided(row, whole, partitionings.get(card), slots));
    }
    return gpus;
  }

  private static Gpu divided(Columns row, Gpu gpu, Partitioning partitioning, OptionalInt slots)
      throws InputException {
    if (partitioning != Partitioning.MIG) {
      return gpu.withPartitioning(
          partitioning, partitioning.takesShares() ? slots.orElse(Gpu.WHOLE_MILLI) : 1);
    }
    var profiles = MigCards.of(gpu.model(), gpu.memoryMib());
    if (profiles.isEmpty()) {
      throw row.problem(
          "partitioning",
          "no MIG profiles of a card %s are known".formatted(Excerpt.quoted(gpu.model())));
    }
    return gpu.withMig(profiles);
  }

  private static List<String> uuids(Columns row, String node, int count) throws InputException {
    var given = row.list("uuids");
    if (given.isEmpty()) {
      var made = new ArrayList<String>();
      for (int card = 0; card < count; card++) {
        made.add(node + "-gpu-" + card);
      }
      return made;
    }
    if (new HashSet<>(given).size() != given.size()) {
      throw row.problem("uuids", "has one UUID twice");
    }
    if (given.size() != count) {
      throw row.problem(
          "uuids", "has %d UUIDs for %d cards; give one each".formatted(given.size(), count));
    }
    return given;
  }
}
