package io.prescale.placement.inventory;

import io.prescale.placement.inventory.Family.Decided;
import io.prescale.placement.inventory.Family.Resources;
import io.prescale.placement.inventory.Family.Selection;
import io.prescale.placement.inventory.Family.Template;
import java.util.List;

/** Ascend's chips, each a family with the templates of its vNPU configuration in HAMi 2.10. */
final class AscendFamilies {
  private AscendFamilies() {}

  static List<Family> all() {
    var half910 =
        List.of(new Template("vir05_1c_16g", 16_384), new Template("vir10_3c_32g", 32_768));
    return List.of(
        family(
            "Ascend910A",
            List.of(
                new Template("vir02", 2184),
                new Template("vir04", 4369),
                new Template("vir08", 8738),
                new Template("vir16", 17_476))),
        family(
            "Ascend910B2",
            List.of(
                new Template("vir03_1c_8g", 8192),
                new Template("vir06_1c_16g", 16_384),
                new Template("vir12_3c_32g", 32_768))),
        family("Ascend910B3", half910),
        family("Ascend910B4-1", half910),
        family(
            "Ascend910B4",
            List.of(new Template("vir05_1c_8g", 8192), new Template("vir10_3c_16g", 16_384))),
        family(
            "Ascend310P",
            List.of(
                new Template("vir01", 3072),
                new Template("vir02", 6144),
                new Template("vir04", 12_288))),
        family(
            "Ascend910C", half910, new Decided.Nothing("its NPUs are given in pairs, by modules")));
  }

  private static Family family(String chip, List<Template> templates) {
    return family(chip, templates, new Decided.SharesAndCards());
  }

  private static Family family(String chip, List<Template> templates, Decided decided) {
    var resource = "huawei.com/" + chip;
    return new Family(
        chip,
        "hami.io/node-register-" + chip,
        Resources.of(resource, resource + "-memory", resource + "-core", 1),
        "hami.io/" + chip + "-devices-to-allocate",
        "hami.io/" + chip + "-devices-allocated",
        Selection.ofUuids("hami.io/use-" + chip + "-uuid", "hami.io/no-use-" + chip + "-uuid"),
        templates,
        decided);
  }
}
