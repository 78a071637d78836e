package io.prescale.controller.cli.place;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.input.InputException;
import io.prescale.controller.input.InputException.Fault;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A folder with Kubernetes' objects in files that end in .json, whatever these hold besides: a
 * support bundle, or what {@code kubectl cluster-info dump} wrote.
 *
 * @param notes takes a sentence about each file that is skipped
 */
record ObjectsFolder(Path path, Consumer<String> notes) {
  private static final int DEEPEST = 6;
  private static final String LIST = "List";
  private static final KubernetesSerialization JSON = new KubernetesSerialization();

  /** Reads every object, file by file; there is at least one. */
  List<HasMetadata> read() throws InputException {
    var all = new ArrayList<HasMetadata>();
    try (var below = Files.walk(path, DEEPEST)) {
      long bytes = 0;
      for (var file : below.filter(ObjectsFolder::isJson).sorted().toList()) {
        bytes += Files.size(file);
        if (bytes > ObjectsFile.MOST_BYTES) {
          throw problem(path, "has more than 512 MiB");
        }
        all.addAll(objects(file));
      }
    } catch (IOException | UncheckedIOException e) {
      throw new InputException(Fault.UNREACHABLE, path + ": cannot be read.", e);
    }
    if (all.isEmpty()) {
      throw problem(path, "has no Kubernetes objects in files that end in .json");
    }
    return all;
  }

  private static boolean isJson(Path file) {
    return Files.isRegularFile(file) && file.toString().endsWith(".json");
  }

  /** None of a file that makes no sense: bundles have some that were cut off. */
  private List<HasMetadata> objects(Path file) {
    var objects = new ArrayList<HasMetadata>();
    try (var in = Files.newInputStream(file)) {
      for (var node : named(JSON.unmarshal(in, JsonNode.class))) {
        if (JSON.convertValue(node, KubernetesResource.class) instanceof HasMetadata object) {
          objects.add(object);
        }
      }
    } catch (IOException _) {
      return skipped(file, "cannot be read");
    } catch (RuntimeException | StackOverflowError _) { // of deep nesting
      // What parsers say quotes the file, and so perhaps a secret.
      return skipped(file, "has no JSON that can be read");
    }
    return objects;
  }

  private List<HasMetadata> skipped(Path file, String why) {
    notes.accept("%s is skipped: it %s.".formatted(file, why));
    return List.of();
  }

  /** What is an object that matters; those of a NodeList need not say of which kind they are. */
  private static List<ObjectNode> named(JsonNode read) {
    var named = new ArrayList<ObjectNode>();
    if (read.isArray()) {
      read.forEach(each -> named.addAll(named(each)));
    } else if (read.path("items").isArray()) {
      var kind = read.path("kind").asText();
      for (var item : read.get("items")) {
        if (item instanceof ObjectNode object && !item.has("kind") && kind.endsWith(LIST)) {
          object.put("kind", kind.substring(0, kind.length() - LIST.length()));
          object.set("apiVersion", read.get("apiVersion"));
        }
        named.addAll(named(item));
      }
    } else if (read instanceof ObjectNode object
        && object.at("/metadata/name").isTextual()
        && ClusterObjects.areRead(object.path("kind").asText())) {
      named.add(object);
    }
    return named;
  }

  private static InputException problem(Path path, String what) {
    return new InputException(Fault.UNUSABLE, "%s %s.".formatted(path, what));
  }
}
