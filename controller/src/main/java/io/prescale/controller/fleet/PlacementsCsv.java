package io.prescale.controller.fleet;

import io.prescale.controller.fleet.PodOutcome.Placed;
import io.prescale.controller.fleet.PodOutcome.Refused;
import io.prescale.placement.cluster.GpuShare;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.commons.csv.CSVFormat;

/** The outcome of each pod as a row of CSV. */
public final class PlacementsCsv {
  private static final CSVFormat FORMAT = CSVFormat.RFC4180;

  private PlacementsCsv() {}

  /** Where a pod has several cards, bars stand between them. The caller closes the writer. */
  public static void write(List<PodOutcome> outcomes, Writer out) throws IOException {
    out.append("pod,node,cards,uuids,compute_milli,memory_mib,mig,reason\n");
    for (var outcome : outcomes) {
      out.append(row(outcome)).append('\n');
    }
    out.flush();
  }

  private static String row(PodOutcome outcome) {
    var name = outcome.request().name();
    return switch (outcome) {
      case Placed placed -> {
        var shares = placed.placement().shares();
        yield FORMAT.format(
            name,
            placed.placement().node(),
            each(shares, share -> String.valueOf(share.card())),
            each(shares, GpuShare::uuid),
            each(shares, share -> String.valueOf(share.computeMilli())),
            each(shares, share -> String.valueOf(share.memoryMib())),
            each(
                shares, share -> share.mig().map(it -> it.profile() + "@" + it.start()).orElse("")),
            "");
      }
      case Refused refused -> FORMAT.format(name, "", "", "", "", "", "", refused.summary());
    };
  }

  private static String each(List<GpuShare> shares, Function<GpuShare, String> field) {
    return shares.stream().map(field).collect(Collectors.joining("|"));
  }
}
