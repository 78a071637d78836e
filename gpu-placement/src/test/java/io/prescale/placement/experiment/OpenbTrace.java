package io.prescale.placement.experiment;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.prescale.placement.cluster.Clusters;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.cluster.RequestShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The openb trace in {@code ../shared/openb}; tests that need it are skipped without it. GPU memory
 * is not in the trace and counts as unknown.
 */
final class OpenbTrace {
  private static final int SLOTS = 1000;

  private OpenbTrace() {}

  /** A pod with its times of creation and deletion, in seconds. */
  record Pod(GpuRequest request, long created, long deleted) {}

  static List<NodeSpec> nodes() {
    return rows("nodes.csv").stream().map(OpenbTrace::node).toList();
  }

  /** The requests of a list such as {@code default}. */
  static List<GpuRequest> requests(String list) {
    return rows("pods-" + list + ".csv").stream().map(OpenbTrace::request).toList();
  }

  /** The requests of a list with their times; only lists that have them. */
  static List<Pod> pods(String list) {
    return rows("pods-" + list + ".csv").stream()
        .map(row -> new Pod(request(row), Long.parseLong(row[8]), Long.parseLong(row[9])))
        .toList();
  }

  private static NodeSpec node(String[] row) {
    var gpus =
        IntStream.range(0, Integer.parseInt(row[3]))
            .mapToObj(
                card ->
                    Gpu.whole(row[0] + "/" + card, "nvidia", row[4], 0)
                        .withPartitioning(Partitioning.HAMI_CORE, SLOTS))
            .toList();
    return new NodeSpec(row[0], Long.parseLong(row[1]), Long.parseLong(row[2]), gpus);
  }

  private static GpuRequest request(String[] row) {
    int gpus = Integer.parseInt(row[3]);
    int milli = Integer.parseInt(row[4]);
    GpuDemand demand =
        gpus == 0
            ? new GpuDemand.NoGpu()
            : milli == Gpu.WHOLE_MILLI ? GpuDemand.WholeGpu.ANY : new GpuDemand.Fraction(milli);
    var host = new HostDemand(Long.parseLong(row[1]), Long.parseLong(row[2]), "");
    var shape = RequestShape.of(gpus, demand).withHost(host);
    boolean hasSpec = gpus > 0 && row.length > 5 && !row[5].isEmpty();
    return new GpuRequest(
        row[0], hasSpec ? shape.withCards(Clusters.models(row[5].split("\\|", -1))) : shape);
  }

  private static List<String[]> rows(String name) {
    var file = shared().resolve(name);
    assumeTrue(
        Files.isReadable(file),
        () ->
            "skipped: without ../shared/openb/"
                + name
                + " it stays unproven that the published experiments give these figures; a"
                + " generated cluster stands in");
    try (var lines = Files.lines(file)) {
      return lines.skip(1).map(line -> line.split(",", -1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path shared() {
    var repository = Path.of("").toAbsolutePath();
    while (repository.getParent() != null && !Files.exists(repository.resolve("mvnw"))) {
      repository = repository.getParent();
    }
    return repository.resolveSibling("shared").resolve("openb");
  }
}
