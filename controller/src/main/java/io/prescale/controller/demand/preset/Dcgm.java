package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** NVIDIA's DCGM exporter: the work of GPUs, for servers without metrics of their own. */
final class Dcgm {
  private static final String ACTIVE = "DCGM_FI_PROF_GR_ENGINE_ACTIVE";

  private Dcgm() {}

  static Preset preset() {
    return new Preset(
        PresetName.DCGM,
        "NVIDIA DCGM exporter 4 in Kubernetes mode (port 9400)",
        "the pods with this name, or with this name and a dash as a prefix: give the workload's"
            + " name",
        new PresetQuery(
            "the number of busy GPUs: the sum of the active share of every GPU and MIG instance",
            "busy GPUs",
            Dcgm::busy,
            Optional.empty()),
        Optional.empty(),
        Optional.empty(),
        List.of(
            "Waiting demand is invisible: the value cannot exceed the number of GPUs. Prefer the"
                + " model server's own preset, or a query for arriving requests. Set a target well"
                + " below the GPUs of one replica, such as 0.6 for one GPU.",
            "DCGM_FI_DEV_GPU_UTIL is not used: a single decoding request makes it 100 %, and MIG"
                + " instances lack it.",
            "The metric needs a GPU of the Volta generation or later, without another profiler"
                + " attached.",
            "Prometheus renames the exporter's own labels to exported_pod and exported_namespace"
                + " unless honorLabels is set; the query handles both. Where an administrator lets"
                + " queries find only series of their own namespace, honorLabels is needed.",
            "With time-slicing, every pod reports the value of the whole GPU, so that the sum is"
                + " too high."));
  }

  private static String busy(PresetScope scope) {
    var renamed = matchers("exported_namespace", "exported_pod", scope);
    var kept = new ArrayList<>(matchers("namespace", "pod", scope));
    kept.add("exported_pod=\"\"");
    return "sum(%s or %s)".formatted(new Series(renamed).of(ACTIVE), new Series(kept).of(ACTIVE));
  }

  private static List<String> matchers(String namespaceLabel, String podLabel, PresetScope scope) {
    var matchers = new ArrayList<String>();
    scope.namespace().ifPresent(it -> matchers.add(namespaceLabel + '=' + Series.quoted(it)));
    matchers.add(
        scope
            .model()
            .map(it -> podLabel + "=~" + Series.quoted(Series.literally(it) + "(-.*)?"))
            .orElse(podLabel + "!=\"\""));
    return matchers;
  }
}
