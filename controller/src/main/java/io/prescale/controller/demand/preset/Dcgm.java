package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** NVIDIA's DCGM exporter: the work of GPUs, for servers that tell nothing themselves. */
final class Dcgm {
  private static final String ACTIVE = "DCGM_FI_PROF_GR_ENGINE_ACTIVE";

  private Dcgm() {}

  static Preset preset() {
    return new Preset(
        PresetName.DCGM,
        "NVIDIA DCGM exporter 4 in Kubernetes mode (port 9400)",
        "the pods whose name is it, or begins with it and a dash: the workload's name",
        new PresetQuery(
            "GPUs' worth of work: the active share of every GPU and MIG instance, added up",
            "busy GPUs",
            Dcgm::busy,
            Optional.empty()),
        Optional.empty(),
        List.of(
            "It cannot see demand that waits: it stops at the number of GPUs that there are. Prefer"
                + " the model server's own preset, or a query for arriving requests. As target take"
                + " well below the GPUs of one replica, such as 0.6 for one.",
            "DCGM_FI_DEV_GPU_UTIL is not used: it is 100 % with one decoding request, and absent on"
                + " MIG instances.",
            "It needs a GPU of the Volta generation or later, and no other profiler on it.",
            "Prometheus renames the exporter's own labels to exported_pod and exported_namespace"
                + " unless honorLabels is set; the query takes both.",
            "Time-sliced GPUs repeat the whole GPU's value for every pod: the sum is then too"
                + " high."));
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
