package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class BriefObjectsTest {
  private KubernetesClient client;

  @Test
  void objectsAreReportedWholeAndKeptInBrief() {
    var reported = new CopyOnWriteArrayList<ConfigMap>();
    create("before");
    try (var informer = client.configMaps().inNamespace("team").runnableInformer(0)) {
      informer.itemStore(new BriefObjects<>(BriefObjectsTest::brief));
      informer.addEventHandler(new ObjectEvents<>(reported::add, _ -> {}));
      informer.start().toCompletableFuture().join();
      await().atMost(Duration.ofSeconds(60)).until(() -> reported.size() == 1);
      create("after");
      await().atMost(Duration.ofSeconds(60)).until(() -> reported.size() == 2);

      assertThat(reported).extracting(ConfigMap::getData).containsOnly(Map.of("much", "text"));
      List<ConfigMap> kept = informer.getStore().list();
      assertThat(kept).hasSize(2).allMatch(it -> it.getData().isEmpty());
    }
  }

  @Test
  void whatIsTooLargeToBeKeptIsGoneAlsoWhenItWasKeptBefore() {
    var objects = BriefObjects.<ConfigMap>small(UnaryOperator.identity());
    var small = new ConfigMapBuilder().withData(Map.of("little", "text")).build();
    var large = new ConfigMapBuilder().withData(Map.of("much", "x".repeat(140_000))).build();

    objects.put("team/a", small);
    assertThat(objects.get("team/a")).isEqualTo(small);
    assertThat(objects.put("team/a", large))
        .as("what was kept before, by which an index forgets it")
        .isEqualTo(small);
    assertThat(objects.get("team/a")).isNull();
  }

  /** They take ten times as much heap as their characters. */
  @Test
  void manyShortEntriesCountAsTheHeapThatTheyTake() {
    var objects = BriefObjects.<ConfigMap>small(UnaryOperator.identity());

    objects.put("team/a", ofEntries(800));
    assertThat(objects.get("team/a")).isNotNull();
    objects.put("team/a", ofEntries(1_000));
    assertThat(objects.get("team/a")).as("13 kB of JSON").isNull();
  }

  private static ConfigMap ofEntries(int count) {
    var entries = new HashMap<String, String>();
    for (int i = 0; i < count; i++) {
      entries.put("k" + i, "");
    }
    return new ConfigMapBuilder().withData(entries).build();
  }

  private void create(String name) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("team")
            .withName(name)
            .endMetadata()
            .withData(Map.of("much", "text"))
            .build();
    client.configMaps().inNamespace("team").resource(map).create();
  }

  private static ConfigMap brief(ConfigMap map) {
    return new ConfigMapBuilder().withMetadata(map.getMetadata()).build();
  }
}
