package io.prescale.placement.inventory;

import io.prescale.placement.inventory.Family.Decided;
import io.prescale.placement.inventory.Family.Resources;
import io.prescale.placement.inventory.Family.Selection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The families, one for each vendor's device plugin or chip, with the names that HAMi 2.10 gives
 * them by default (its {@code device-configmap.yaml}). Those of which pods ask for whole cards
 * only, such as {@code enflame.com/gcu}, are left out: kube-scheduler counts them. The resources
 * are listed a second time in {@code charts/prescale/scheduler/configuration.yaml}, for
 * kube-scheduler.
 */
public final class Families {
  /** The size of Iluvatar's unit of memory. */
  private static final int ILUVATAR_MIB = 256;

  public static final Family NVIDIA =
      new Family(
          "NVIDIA",
          "hami.io/node-nvidia-register",
          new Resources(
              "nvidia.com/gpu",
              Optional.of("nvidia.com/gpumem"),
              Optional.of("nvidia.com/gpumem-percentage"),
              Optional.of("nvidia.com/gpucores"),
              1,
              0),
          "hami.io/vgpu-devices-to-allocate",
          "hami.io/vgpu-devices-allocated",
          Selection.of(
              "nvidia.com/use-gputype",
              "nvidia.com/nouse-gputype",
              "nvidia.com/use-gpuuuid",
              "nvidia.com/nouse-gpuuuid"),
          List.of(),
          new Decided.SharesAndCards());

  public static final Family HYGON =
      new Family(
          "DCU",
          "hami.io/node-dcu-register",
          Resources.of("hygon.com/dcunum", "hygon.com/dcumem", "hygon.com/dcucores", 1),
          "hami.io/dcu-devices-to-allocate",
          "hami.io/dcu-devices-allocated",
          Selection.of(
              "hygon.com/use-dcutype",
              "hygon.com/nouse-dcutype",
              "hygon.com/use-gpuuuid",
              "hygon.com/nouse-gpuuuid"),
          List.of(),
          new Decided.SharesAndCards());

  /**
   * Cards are written with their compute units, and HAMi's versions do not agree whether pods ask
   * for these or for percent: its shares are not decided.
   */
  public static final Family AMD =
      new Family(
          "AMD",
          "hami.io/node-amd-register",
          Resources.of("amd.com/gpu", "amd.com/gpumem", "amd.com/gpucores", 1),
          "hami.io/amd-devices-to-allocate",
          "hami.io/amd-devices-allocated",
          Selection.of(
              "amd.com/use-gputype",
              "amd.com/nouse-gputype",
              "amd.com/use-gpu-uuid",
              "amd.com/nouse-gpu-uuid"),
          List.of(),
          new Decided.WholeCards());

  /** A card takes only shares of one size, which are not decided. */
  public static final Family KUNLUN =
      new Family(
          "XPU",
          "hami.io/node-register-xpu",
          new Resources(
              "kunlunxin.com/vxpu",
              Optional.of("kunlunxin.com/vxpu-memory"),
              Optional.empty(),
              Optional.empty(),
              1,
              0),
          "hami.io/xpu-devices-to-allocate",
          "hami.io/xpu-devices-allocated",
          Selection.ofUuids("hami.io/use-xpu-uuid", "hami.io/no-use-xpu-uuid"),
          List.of(),
          new Decided.WholeCards());

  /** Only shares of the class of service best-effort are decided; see {@link MetaxService}. */
  public static final Family METAX =
      new Family(
          "Metax-SGPU",
          "metax-tech.com/node-gpu-devices",
          new Resources(
              "metax-tech.com/sgpu",
              Optional.of("metax-tech.com/vmemory"),
              Optional.empty(),
              Optional.of("metax-tech.com/vcore"),
              1024,
              100),
          "hami.io/metax-sgpu-devices-to-allocate",
          "hami.io/metax-sgpu-devices-allocated",
          Selection.ofUuids("metax-tech.com/use-gpuuuid", "metax-tech.com/nouse-gpuuuid"),
          List.of(),
          new Decided.SharesAndCards());

  /** One share or one whole card of a pod, by memory and compute; see {@link CambriconService}. */
  public static final Family CAMBRICON =
      new Family(
          "MLU",
          "cambricon.com/mlu.smlu.vcore",
          Resources.of(
              "cambricon.com/vmlu",
              "cambricon.com/mlu.smlu.vmemory",
              "cambricon.com/mlu.smlu.vcore",
              256),
          "hami.io/cambricon-mlu-devices-to-allocate",
          "hami.io/cambricon-mlu-devices-allocated",
          Selection.ofUuids("cambricon.com/use-gpuuuid", "cambricon.com/nouse-gpuuuid"),
          List.of(),
          new Decided.SharesAndCards());

  /** Its device plugin knows cards by their place, and takes no lock: nothing is decided. */
  public static final Family MOORE_THREADS =
      new Family(
          "Mthreads",
          "mthreads.com/sgpu-core",
          Resources.of(
              "mthreads.com/vgpu", "mthreads.com/sgpu-memory", "mthreads.com/sgpu-core", 512),
          "hami.io/mthreads-vgpu-devices-to-allocate",
          "hami.io/mthreads-vgpu-devices-allocated",
          Selection.ofUuids("mthreads.ai/use-gpuuuid", "mthreads.ai/nouse-gpuuuid"),
          List.of(),
          new Decided.Nothing("its device plugin knows cards by their place and takes no lock"));

  /**
   * As before HAMi 2.10: pods ask for percent of a card. Its resource says only how many cards a
   * node has, not their memory, so {@link AllocatableCards} leaves it out: its cards are not even
   * counted.
   */
  public static final Family ENFLAME =
      new Family(
          "Enflame",
          "enflame.com/gcu-count",
          new Resources(
              "enflame.com/vgcu",
              Optional.empty(),
              Optional.of("enflame.com/vgcu-percentage"),
              Optional.empty(),
              1,
              0),
          "hami.io/enflame-vgpu-devices-to-allocate",
          "hami.io/enflame-vgpu-devices-allocated",
          Selection.ofUuids("enflame.com/use-gpuuuid", "enflame.com/nouse-gpuuuid"),
          List.of(),
          new Decided.Nothing("its device plugin registers no memory"));

  /**
   * Pods ask for the size of a profile, or for memory and compute that HAMi makes one of. Nodes say
   * by {@code enflame.com/gcu-drs-capacity}, in a form of its own, which profiles there are.
   */
  public static final Family ENFLAME_PROFILES =
      new Family(
          "Enflame-DRS",
          "enflame.com/drs-gcu",
          Resources.of("enflame.com/drs-gcu", "enflame.com/gcu-memory", "enflame.com/gcu-core", 1),
          "assigned-containers",
          "hami.io/enflame-vgpu-devices-allocated",
          Selection.ofUuids("enflame.com/use-gpuuuid", "enflame.com/nouse-gpuuuid"),
          List.of(),
          new Decided.Nothing("its cards are cut into profiles of its own"));

  /** Volcano's vGPUs, which its own scheduler places. */
  public static final Family VOLCANO =
      new Family(
          "Volcano-vGPU",
          "volcano.sh/node-vgpu-register",
          new Resources(
              "volcano.sh/vgpu-number",
              Optional.of("volcano.sh/vgpu-memory"),
              Optional.of("volcano.sh/vgpu-memory-percentage"),
              Optional.of("volcano.sh/vgpu-cores"),
              1,
              0),
          "volcano.sh/devices-to-allocate",
          "volcano.sh/vgpu-ids-new",
          Selection.ofUuids("volcano.sh/vgpu-use-gpuuuid", "volcano.sh/vgpu-nouse-gpuuuid"),
          List.of(),
          new Decided.Nothing("Volcano places its vGPUs itself"));

  /** Every family, including those that are only read in part or in whole. */
  public static final List<Family> ALL = all();

  private static final Map<String, Family> BY_RESOURCE = byResource();
  private static final Set<String> ONLY_READ = onlyRead();

  private Families() {}

  /** The family that a resource belongs to; no resource belongs to two. */
  static Optional<Family> offering(String resource) {
    return Optional.ofNullable(BY_RESOURCE.get(resource));
  }

  /** Whether cards of a vendor are only counted, because another scheduler gives them out. */
  public static boolean areOnlyRead(String vendor) {
    return ONLY_READ.contains(vendor);
  }

  private static Set<String> onlyRead() {
    var vendors = new HashSet<String>();
    vendors.add(KoordinatorDevices.VENDOR);
    for (var family : ALL) {
      if (family.decided() instanceof Decided.Nothing) {
        vendors.add(family.word());
      }
    }
    return vendors;
  }

  private static Map<String, Family> byResource() {
    var families = new HashMap<String, Family>();
    for (var family : ALL) {
      for (var name : family.resources().names()) {
        if (families.put(name, family) != null) {
          throw new IllegalStateException("two families have the resource " + name);
        }
      }
    }
    return families;
  }

  private static List<Family> all() {
    var all =
        new ArrayList<Family>(
            List.of(
                NVIDIA,
                HYGON,
                AMD,
                KUNLUN,
                METAX,
                CAMBRICON,
                MOORE_THREADS,
                ENFLAME,
                ENFLAME_PROFILES,
                VOLCANO));
    for (var chip : List.of("MR-V100", "MR-V50", "BI-V150", "BI-V100")) {
      all.add(iluvatar(chip));
    }
    all.addAll(AscendFamilies.all());
    return List.copyOf(all);
  }

  private static Family iluvatar(String chip) {
    var resource = "iluvatar.ai/" + chip;
    return new Family(
        chip,
        "hami.io/node-" + chip + "-register",
        Resources.of(resource + "-vgpu", resource + ".vMem", resource + ".vCore", ILUVATAR_MIB),
        "hami.io/" + chip + "-devices-to-allocate",
        "hami.io/" + chip + "-devices-allocated",
        Selection.ofUuids("hami.io/use-" + chip + "-uuid", "hami.io/no-use-" + chip + "-uuid"),
        List.of(),
        new Decided.SharesAndCards());
  }
}
