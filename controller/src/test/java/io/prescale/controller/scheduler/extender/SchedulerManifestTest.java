package io.prescale.controller.scheduler.extender;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.Checkout;
import io.prescale.placement.inventory.Families;
import java.io.IOException;
import java.nio.file.Files;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchedulerManifestTest {

  /** What asks for a resource that is missing there would be bound without being decided. */
  @Test
  void theSchedulerIsToldOfEveryResourceThatIsKnown() throws IOException {
    var extender = manifest().at("/extenders/0");
    var listed = new TreeMap<String, Boolean>();
    for (var resource : extender.get("managedResources")) {
      listed.put(resource.get("name").asText(), resource.get("ignoredByScheduler").asBoolean());
    }

    var known = new TreeMap<String, Boolean>();
    for (var family : Families.ALL) {
      var resources = family.resources();
      known.put(resources.count(), false);
      Stream.of(resources.memory(), resources.memoryPercentage(), resources.cores())
          .forEach(part -> part.ifPresent(name -> known.put(name, true)));
    }
    // Nodes advertise memory and compute of Cambricon's cards, and not their number.
    known.put("cambricon.com/vmlu", true);
    known.put("cambricon.com/mlu.smlu.vmemory", false);
    known.put("cambricon.com/mlu.smlu.vcore", false);
    // No node advertises it either: without an entry, the scheduler would find it lacking on each.
    known.put("nvidia.com/priority", true);
    assertThat(listed).isEqualTo(known);
    assertThat(extender.get("nodeCacheCapable").asBoolean()).isTrue();
    assertThat(extender.get("bindVerb").asText()).isEqualTo("bind");
  }

  private static JsonNode manifest() throws IOException {
    var text =
        Files.readString(Checkout.root().resolve("charts/prescale/scheduler/configuration.yaml"));
    return new KubernetesSerialization().unmarshal(text, JsonNode.class);
  }
}
