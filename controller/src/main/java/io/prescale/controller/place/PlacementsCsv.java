package io.prescale.controller.place;

import io.prescale.controller.place.PodOutcome.Evicted;
import io.prescale.controller.place.PodOutcome.HasPlace;
import io.prescale.controller.place.PodOutcome.Refused;
import io.prescale.placement.cluster.GpuShare;
import io.prescale.placement.cluster.Placement;
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

  /** Writes the rows, with bars between several cards of a pod. The caller closes the writer. */
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
      case HasPlace it -> row(it.placement(), "");
      case Evicted evicted -> {
        var reason =
            "evicted from %s for %s".formatted(evicted.from().node(), evicted.claimant().name());
        yield evicted
            .place()
            .map(place -> row(place, reason))
            .orElseGet(() -> nowhere(name, reason));
      }
      case Refused refused -> nowhere(name, refused.summary());
    };
  }

  private static String row(Placement placement, String reason) {
    var shares = placement.shares();
    return FORMAT.format(
        placement.request().name(),
        placement.node(),
        each(shares, share -> String.valueOf(share.card())),
        each(shares, GpuShare::uuid),
        each(shares, share -> String.valueOf(share.computeMilli())),
        each(shares, share -> String.valueOf(share.memoryMib())),
        each(shares, share -> share.mig().map(it -> it.profile() + "@" + it.start()).orElse("")),
        reason);
  }

  private static String nowhere(String pod, String reason) {
    return FORMAT.format(pod, "", "", "", "", "", "", reason);
  }

  private static String each(List<GpuShare> shares, Function<GpuShare, String> field) {
    return shares.stream().map(field).collect(Collectors.joining("|"));
  }
}
