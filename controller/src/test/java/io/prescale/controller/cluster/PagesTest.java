package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@MockApi
@NullUnmarked // the extension sets the client and the server
class PagesTest {
  private static final String PATH = "/api/v1/namespaces/team/configmaps?";

  private KubernetesClient client;
  private KubernetesMockServer server;

  @Test
  void eachPageIsShownByItself() {
    answer("limit=2", "next", "a", "b");
    answer("continue=next&limit=2", "", "c");

    var pages = new ArrayList<List<String>>();
    Pages.each(
        client.configMaps().inNamespace("team"),
        2,
        page -> pages.add(page.stream().map(it -> it.getMetadata().getName()).toList()));

    assertThat(pages).containsExactly(List.of("a", "b"), List.of("c"));
  }

  private void answer(String query, String next, String... names) {
    var items = new ArrayList<ConfigMap>();
    for (var name : names) {
      items.add(new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build());
    }
    server
        .expect()
        .withPath(PATH + query)
        .andReturn(
            200,
            new ConfigMapListBuilder()
                .withItems(items)
                .withNewMetadata()
                .withContinue(next)
                .endMetadata()
                .build())
        .once();
  }
}
