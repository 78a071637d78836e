package io.prescale.controller.cli.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.cli.terminal.TestingSurroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code prescale place --snapshot}: what GpuBookings expect has its cards kept. */
class PlaceBookedTest {
  /** Pods of a manifest have the label app: x. */
  private static final String OWN = "{\"app\": \"x\"}";

  private static final String OTHERS = "{\"app\": \"llm\"}";

  @TempDir private Path folder;

  private final TestingSurroundings program = new TestingSurroundings();

  private SavedCluster cluster() {
    return new SavedCluster(folder);
  }

  private static String booking(String selector, String from, String until, String tolerations) {
    return """
    ,{"apiVersion": "placement.prescale.io/v1alpha1", "kind": "GpuBooking",
      "metadata": {"name": "llm", "namespace": "team", "uid": "b1"},
      "spec": {"selector": %s, "shortagePrice": 20,
        "needs": [{"from": "%s", "until": "%s", "replicas": 1, "percent": 90}],
        "template": {"metadata": {"labels": %s}, "spec": {%s"containers": [
          {"name": "m", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}}}
    """
        .formatted(selector, from, until, selector, tolerations);
  }

  /** It is 00:00:30. */
  private static String expecting(String selector) {
    return booking(selector, "2026-01-17T00:00:00Z", "2026-01-17T01:00:00Z", "");
  }

  private JsonNode pods(String manifest) throws IOException {
    assertThat(cluster().place(program, manifest, "--json")).as(program.err()).isZero();
    return new ObjectMapper().readTree(program.out()).get("pods");
  }

  @Test
  void theLastFreeCardIsKeptFromOthers() throws IOException {
    cluster().save(expecting(OTHERS));
    var manifest = SavedCluster.deployment("chat", 1, SavedCluster.POD);

    assertThat(cluster().place(program, manifest)).isZero();
    assertThat(program.out().lines())
        .startsWith("0 of 1 pods would be bound, 1 would wait.")
        .anyMatch(line -> line.matches("team/chat-0 +waits: 1 node: keeps cards for other pods"));
  }

  @Test
  void aFolderHasBookingsToo() throws IOException {
    cluster().save(expecting(OTHERS));
    var bundle = Files.createDirectory(folder.resolve("bundle"));
    Files.move(folder.resolve("cluster.json"), bundle.resolve("all.json"));
    var manifest = cluster().write("m.yaml", SavedCluster.deployment("chat", 1, SavedCluster.POD));

    assertThat(
            program.run(
                "place", "--snapshot", bundle.toString(), "--manifest", manifest.toString()))
        .isZero();
    assertThat(program.out()).contains("keeps cards for other pods");
  }

  @Test
  void thePodThatIsExpectedHasIt() throws IOException {
    cluster().save(expecting(OWN));

    var pods = pods(SavedCluster.deployment("chat", 2, SavedCluster.POD));

    assertThat(pods.findValuesAsText("outcome")).containsExactly("bound", "waits");
    assertThat(pods.findValuesAsText("card")).containsExactly("GPU-a-1");
  }

  /** As each second in the extender: what is expected no more has no card kept. */
  @Test
  void whenTheExpectedPodIsBoundTheOthersHaveTheRest() throws IOException {
    var tolerant = "\"tolerations\": [{\"key\": \"gpu\", \"operator\": \"Exists\"}], ";
    cluster().save(booking(OWN, "2026-01-17T00:00:00Z", "2026-01-17T01:00:00Z", tolerant));
    var other =
        SavedCluster.deployment("other", 3, SavedCluster.TOLERANT).replace("app: x", "app: y");
    var own = SavedCluster.deployment("chat", 1, SavedCluster.TOLERANT);

    var pods = pods(other + own);

    assertThat(pods.get(3).get("outcome").asText()).isEqualTo("bound");
    assertThat(pods.findValuesAsText("outcome")).containsOnlyOnce("waits");
    assertThat(pods.findValuesAsText("card"))
        .containsExactlyInAnyOrder("GPU-a-1", "GPU-b-0", "GPU-b-1");
  }

  /** No pod could be asked to leave, so that a card need not be kept before it is needed. */
  @Test
  void whatIsNeededLaterKeepsNothingYet() throws IOException {
    cluster().save(booking(OTHERS, "2026-01-17T00:40:00Z", "2026-01-17T01:00:00Z", ""));

    var pods = pods(SavedCluster.deployment("chat", 1, SavedCluster.POD));

    assertThat(pods.findValuesAsText("outcome")).containsExactly("bound");
  }

  @Test
  void forAnExpectedPodThatWaitsThoseAreNamedThatCouldBeAskedToLeave() throws IOException {
    var lent =
        SavedCluster.running(
            "lent", "GPU-a-1", ", \"labels\": {\"gpu.prescale.io/queue\": \"batch\"}", "");
    cluster()
        .save(
            expecting(OWN)
                + lent
                + SavedCluster.queue("research", "{\"guarantee\": 1}")
                + SavedCluster.queue("batch", "{\"reclaim\": {\"mode\": \"Act\"}}"));

    var pods = pods(SavedCluster.deployment("chat", 1, SavedCluster.POD));

    assertThat(pods.findValuesAsText("outcome")).containsExactly("waits");
    assertThat(pods.get(0).get("asked").get(0).asText()).isEqualTo("other/lent");
  }
}
