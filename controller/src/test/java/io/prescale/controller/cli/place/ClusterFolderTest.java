package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code prescale place --snapshot FOLDER}: dumps and support bundles. */
class ClusterFolderTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private Path bundle;

  private final TestingSurroundings program = new TestingSurroundings();

  /** The objects of a saved cluster as kubectl dumps them, and as support bundles have them. */
  @BeforeEach
  void unpack() throws IOException {
    bundle = folder.resolve("bundle");
    var saved = new SavedCluster(folder);
    saved.save(SavedCluster.queue("research", "{\"limit\": 1}"));
    var objects = JSON.readTree(folder.resolve("cluster.json").toFile()).get("items");
    put("nodes.json", list("NodeList", objects, "Node", true));
    put("other/pods.json", list("PodList", objects, "Pod", true));
    put("cluster-resources/namespaces.json", list("List", objects, "Namespace", false));
    put("cluster-resources/priority-classes.json", list("List", objects, "PriorityClass", false));
    put("cluster-resources/custom-resources/gpuqueues.json", some(objects, "GpuQueue", false));
    put("cluster-resources/pods-errors.json", JSON.readTree("[\"forbidden\"]"));
    put("version.json", JSON.readTree("{\"major\": \"1\"}"));
    Files.writeString(bundle.resolve("other/logs.txt"), "{ not read");
  }

  private static JsonNode some(JsonNode objects, String kind, boolean isTyped) {
    var some = JSON.createArrayNode();
    for (var object : objects) {
      if (object.get("kind").asText().equals(kind)) {
        some.add(isTyped ? ((ObjectNode) object.deepCopy()).without("kind") : object);
      }
    }
    return some;
  }

  private static JsonNode list(String type, JsonNode objects, String kind, boolean isTyped) {
    return JSON.createObjectNode()
        .put("apiVersion", "v1")
        .put("kind", type)
        .set("items", some(objects, kind, isTyped));
  }

  private void put(String name, JsonNode content) throws IOException {
    var file = bundle.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content.toString());
  }

  private int place(Path snapshot) throws IOException {
    var manifest = SavedCluster.deployment("chat", 3, SavedCluster.TOLERANT);
    var file = Files.writeString(folder.resolve("manifest.yaml"), manifest);
    return program.run("place", "--snapshot", snapshot.toString(), "--manifest", file.toString());
  }

  @Test
  void itsFilesAreACluster() throws IOException {
    assertThat(place(folder.resolve("cluster.json"))).isZero();
    var expected = program.out();
    assertThat(expected).contains("queue research has 1 of at most 1 cards");

    assertThat(place(bundle)).as(program.err()).isZero();
    assertThat(program.out()).isEqualTo(expected + expected);
  }

  @Test
  void aFileThatCannotBeParsedIsNamedAndSkipped() throws IOException {
    assertThat(place(bundle)).isZero();
    var expected = program.out();
    Files.writeString(bundle.resolve("other/cut.json"), "{\"items\": [{\"secret\": ");
    Files.writeString(bundle.resolve("empty.json"), "");

    assertThat(place(bundle)).isZero();

    assertThat(program.out()).isEqualTo(expected + expected);
    assertThat(program.errLines())
        .containsExactly(
            bundle.resolve("empty.json") + " is skipped: it has no JSON that can be read.",
            bundle.resolve("other/cut.json") + " is skipped: it has no JSON that can be read.");
  }

  @Test
  void whereNoFileCanBeParsedThereIsNoCluster() throws IOException {
    var broken = Files.createDirectories(folder.resolve("broken"));
    Files.writeString(broken.resolve("pods.json"), "{\"items\": [{\"secret\": ");

    assertThat(place(broken)).isEqualTo(3);

    assertThat(program.errLines())
        .containsExactly(
            broken.resolve("pods.json") + " is skipped: it has no JSON that can be read.",
            broken + " has no Kubernetes objects in files that end in .json.");
  }

  @Test
  void aFolderWithoutObjectsIsNoCluster() throws IOException {
    assertThat(place(Files.createDirectories(folder.resolve("empty")))).isEqualTo(3);
    assertThat(program.err())
        .contains("empty has no Kubernetes objects in files that end in .json.");
  }
}
