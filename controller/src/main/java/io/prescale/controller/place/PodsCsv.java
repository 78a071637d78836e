package io.prescale.controller.place;

import static java.util.Map.entry;

import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.CsvTable;
import io.prescale.controller.input.InputException;
import io.prescale.placement.cluster.CardSelector;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.LinkRequirement.LinkScope;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.PackingPolicy;
import io.prescale.placement.cluster.PackingPolicy.Direction;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.cluster.Standing;
import io.prescale.placement.overcommit.MemoryUsage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Pods that want to be placed, in CSV, one row each, in the order of their arrival.
 *
 * <p>The five required columns are those of Alibaba's openb trace (cluster-trace-gpu-v2023), whose
 * other columns are accepted too; the rest adds what the trace does not have.
 */
public final class PodsCsv {
  static final List<String> REQUIRED =
      List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli");
  static final List<String> KNOWN =
      Stream.of(
              REQUIRED,
              List.of("gpu_spec", "qos", "pod_phase"),
              List.of("creation_time", "deletion_time", "scheduled_time"),
              List.of("gpu_memory_mib", "mig_profile"),
              List.of("vendors", "excluded_models", "uuids", "excluded_uuids"),
              List.of("links", "node_packing", "gpu_packing", "image"),
              List.of("queue", "priority", "preemptible", "gang", "gang_scope", "gang_minimum"),
              List.of("node", "cards", "mig_slices"),
              List.of("gpu_memory_mean_mib", "gpu_memory_deviation_mib"))
          .flatMap(List::stream)
          .toList();

  private static final Map<String, LinkRequirement> LINKS =
      Map.ofEntries(
          entry("none", LinkRequirement.NONE),
          entry("preferred", LinkRequirement.preferred()),
          entry("nvlink", LinkRequirement.required(LinkScope.NVLINK)),
          entry("pcie-switch", LinkRequirement.required(LinkScope.PCIE_SWITCH)),
          entry("pcie-host-bridge", LinkRequirement.required(LinkScope.PCIE_HOST_BRIDGE)),
          entry("numa-node", LinkRequirement.required(LinkScope.NUMA_NODE)));
  private static final Map<String, Direction> DIRECTIONS =
      Map.of("binpack", Direction.BINPACK, "spread", Direction.SPREAD);
  private static final Map<String, NetworkScope> GANG_SCOPES =
      Map.of(
          "node", NetworkScope.NODE,
          "nvlink-domain", NodesCsv.NVLINK_DOMAIN,
          "rack", NodesCsv.RACK,
          "block", NodesCsv.BLOCK,
          "cluster", NetworkScope.CLUSTER);
  private static final int MOST_MEMBERS = 1_000_000;
  private static final int MOST_SLICE = 15;
  private static final long MOST_SECONDS = 100_000_000_000L;

  private PodsCsv() {}

  /** Reads every row; two pods of one name are refused. */
  public static List<PodRow> read(CsvFile file) throws InputException, InterruptedException {
    return file.read(PodsCsv::pods);
  }

  private static List<PodRow> pods(CsvTable table)
      throws InputException, IOException, InterruptedException {
    var header = table.readHeader(String.join(",", REQUIRED));
    var columns = new Columns(table, header, KNOWN, REQUIRED);
    var pods = new ArrayList<PodRow>();
    var names = new HashSet<String>();
    while (table.next()) {
      var pod = pod(columns);
      columns.requireNew("name", pod.request().name(), names);
      pods.add(pod);
    }
    return pods;
  }

  private static PodRow pod(Columns row) throws InputException {
    var created = row.optionalLong("creation_time", 0, MOST_SECONDS);
    var deleted = row.optionalLong("deletion_time", 0, MOST_SECONDS);
    requireOrder(row, created, deleted);
    var scope = row.choice("gang_scope", GANG_SCOPES).orElse(NetworkScope.CLUSTER);
    var request = new GpuRequest(row.text("name"), shape(row), standing(row));
    if (!scope.equals(NetworkScope.CLUSTER) && request.standing().gang().isEmpty()) {
      throw row.problem("gang_scope", "needs a gang");
    }
    var minimum = row.optionalWhole("gang_minimum", 0, MOST_MEMBERS);
    if (minimum.isPresent() && request.standing().gang().isEmpty()) {
      throw row.problem("gang_minimum", "needs a gang");
    }
    return new PodRow(
        request, scope, minimum, created, deleted, place(row, request), memoryUsage(row, request));
  }

  private static Optional<PodRow.Place> place(Columns row, GpuRequest request)
      throws InputException {
    var node = row.optionalText("node");
    var cards = numbers(row, "cards", NodeSpec.MAX_GPUS - 1);
    var slices = numbers(row, "mig_slices", MOST_SLICE);
    if (node.isEmpty()) {
      if (!cards.isEmpty() || !slices.isEmpty()) {
        throw row.problem("node", "is empty, but cards are named");
      }
      return Optional.empty();
    }
    int wanted = request.shape().gpus();
    if (cards.size() != wanted || new HashSet<>(cards).size() != wanted) {
      throw row.problem("cards", "does not name %d different cards".formatted(wanted));
    }
    int instances = request.shape().demand() instanceof GpuDemand.MigInstance ? wanted : 0;
    if (slices.size() != instances) {
      throw row.problem("mig_slices", "has %d and not %d".formatted(slices.size(), instances));
    }
    return Optional.of(new PodRow.Place(node.get(), cards, slices));
  }

  private static List<Integer> numbers(Columns row, String column, int most) throws InputException {
    var numbers = new ArrayList<Integer>();
    for (var word : row.list(column)) {
      numbers.add((int) row.wholeOf(column, word, 0, most));
    }
    return numbers;
  }

  private static Optional<MemoryUsage> memoryUsage(Columns row, GpuRequest request)
      throws InputException {
    var mean = row.optionalWhole("gpu_memory_mean_mib", 0, Columns.MOST_GPU_MEMORY_MIB);
    var deviation = row.optionalWhole("gpu_memory_deviation_mib", 0, Columns.MOST_GPU_MEMORY_MIB);
    if (mean.isEmpty() && deviation.isEmpty()) {
      return Optional.empty();
    }
    if (mean.isEmpty() || deviation.isEmpty()) {
      throw row.problem("gpu_memory_mean_mib", "and gpu_memory_deviation_mib go together");
    }
    if (!(request.shape().demand() instanceof GpuDemand.Share share)) {
      throw row.problem("gpu_memory_mean_mib", "needs a share of a card with gpu_memory_mib");
    }
    try {
      return Optional.of(new MemoryUsage(share.memoryMib(), mean.getAsInt(), deviation.getAsInt()));
    } catch (IllegalArgumentException e) {
      throw row.problem("gpu_memory_mean_mib", "does not fit: " + e.getMessage());
    }
  }

  private static void requireOrder(Columns row, OptionalLong created, OptionalLong deleted)
      throws InputException {
    if (deleted.isPresent() && deleted.getAsLong() < created.orElse(0)) {
      throw row.problem("deletion_time", "is before creation_time");
    }
  }

  private static RequestShape shape(Columns row) throws InputException {
    int gpus = row.whole("num_gpu", 0, NodeSpec.MAX_GPUS);
    return new RequestShape(
        gpus,
        demand(row, gpus),
        new HostDemand(
            row.whole("cpu_milli", 0, Columns.MOST_CPU_MILLI),
            row.whole("memory_mib", 0, Columns.MOST_MEMORY_MIB),
            row.optionalText("image").orElse("")),
        gpus == 0 ? CardSelector.ANY : cards(row),
        row.choice("links", LINKS).orElse(LinkRequirement.NONE),
        new PackingPolicy(
            row.choice("node_packing", DIRECTIONS).orElse(Direction.DEFAULT),
            row.choice("gpu_packing", DIRECTIONS).orElse(Direction.DEFAULT)));
  }

  private static CardSelector cards(Columns row) throws InputException {
    return new CardSelector(
        row.names("vendors"),
        row.names("gpu_spec"),
        row.names("excluded_models"),
        row.names("uuids"),
        row.names("excluded_uuids"),
        Set.of());
  }

  private static GpuDemand demand(Columns row, int gpus) throws InputException {
    int milli = row.whole("gpu_milli", 0, Gpu.WHOLE_MILLI);
    var memory = row.optionalWhole("gpu_memory_mib", 1, Columns.MOST_GPU_MEMORY_MIB);
    var profile = row.optionalText("mig_profile");
    if (gpus == 0) {
      if (milli > 0 || memory.isPresent() || profile.isPresent()) {
        throw row.problem("num_gpu", "is 0, but a part of a GPU is asked for");
      }
      return new GpuDemand.NoGpu();
    }
    if (profile.isPresent()) {
      if (memory.isPresent()) {
        throw row.problem(
            "mig_profile", "already says how much memory; leave gpu_memory_mib empty");
      }
      return new GpuDemand.MigInstance(profile.get());
    }
    if (memory.isPresent()) {
      return milli == Gpu.WHOLE_MILLI
          ? new GpuDemand.WholeGpu(memory.getAsInt())
          : new GpuDemand.Share(milli, memory.getAsInt());
    }
    if (milli == 0) {
      throw row.problem("gpu_milli", "is 0; give 1 to 1000, or gpu_memory_mib, or mig_profile");
    }
    return milli == Gpu.WHOLE_MILLI ? GpuDemand.WholeGpu.ANY : new GpuDemand.Fraction(milli);
  }

  private static Standing standing(Columns row) throws InputException {
    return new Standing(
        row.optionalText("queue").orElse(""),
        row.optionalWhole("priority", Integer.MIN_VALUE, Integer.MAX_VALUE).orElse(0),
        row.choice("preemptible", Columns.YES_NO).orElse(false),
        row.optionalText("gang"));
  }
}
