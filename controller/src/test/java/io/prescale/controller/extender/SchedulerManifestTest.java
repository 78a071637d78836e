package io.prescale.controller.extender;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.Checkout;
import io.prescale.controller.inventory.Families;
import io.prescale.controller.inventory.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchedulerManifestTest {

  /** A resource that is missing there would be placed by nobody. */
  @Test
  void theSchedulerIsToldOfEveryResourceThatIsDecided() throws IOException {
    var extender = manifest().at("/extenders/0");
    var listed = new TreeMap<String, Boolean>();
    for (var resource : extender.get("managedResources")) {
      listed.put(resource.get("name").asText(), resource.get("ignoredByScheduler").asBoolean());
    }

    var decided = new TreeMap<String, Boolean>();
    for (var family : Families.ALL) {
      var resources = family.resources();
      if (family.decided() != Family.Decided.NOTHING) {
        decided.put(resources.count(), false);
        Stream.of(resources.memory(), resources.memoryPercentage(), resources.cores())
            .forEach(part -> part.ifPresent(name -> decided.put(name, true)));
      }
    }
    assertThat(listed).isEqualTo(decided);
    assertThat(extender.get("nodeCacheCapable").asBoolean()).isTrue();
    assertThat(extender.get("bindVerb").asText()).isEqualTo("bind");
  }

  private static JsonNode manifest() throws IOException {
    var text =
        Files.readString(Checkout.root().resolve("charts/prescale/scheduler/configuration.yaml"));
    return new KubernetesSerialization().unmarshal(text, JsonNode.class);
  }
}
