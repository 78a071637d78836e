package io.prescale.placement.inventory;

import io.prescale.placement.inventory.Family.Decided;
import io.prescale.placement.inventory.Family.Resources;
import io.prescale.placement.inventory.Family.Selection;
import io.prescale.placement.inventory.Family.Slice;
import java.util.List;

/** Ascend's chips, each a family with the templates of its vNPU configuration in HAMi 2.10. */
final class AscendFamilies {
  private AscendFamilies() {}

  static List<Family> all() {
    var half910 = List.of(new Slice("vir05_1c_16g", 16_384), new Slice("vir10_3c_32g", 32_768));
    return List.of(
        family(
            "Ascend910A",
            List.of(
                new Slice("vir02", 2184),
                new Slice("vir04", 4369),
                new Slice("vir08", 8738),
                new Slice("vir16", 17_476))),
        family(
            "Ascend910B2",
            List.of(
                new Slice("vir03_1c_8g", 8192),
                new Slice("vir06_1c_16g", 16_384),
                new Slice("vir12_3c_32g", 32_768))),
        family("Ascend910B3", half910),
        family("Ascend910B4-1", half910),
        family(
            "Ascend910B4",
            List.of(new Slice("vir05_1c_8g", 8192), new Slice("vir10_3c_16g", 16_384))),
        family(
            "Ascend310P",
            List.of(
                new Slice("vir01", 3072), new Slice("vir02", 6144), new Slice("vir04", 12_288))));
  }

  private static Family family(String chip, List<Slice> templates) {
    var resource = "huawei.com/" + chip;
    return new Family(
        chip,
        "hami.io/node-register-" + chip,
        Resources.of(resource, resource + "-memory", resource + "-core", 1),
        "hami.io/" + chip + "-devices-to-allocate",
        "hami.io/" + chip + "-devices-allocated",
        Selection.ofUuids("hami.io/use-" + chip + "-uuid", "hami.io/no-use-" + chip + "-uuid"),
        templates,
        Decided.SHARES_AND_CARDS);
  }
}
