package io.prescale.controller.states;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** Saved states that an API server has from the beginning, in namespace {@code prescale}. */
public final class StoredStates {
  private StoredStates() {}

  /** Creates the page of a PredictiveHPA, with nothing else on it. */
  public static void put(KubernetesClient client, String uid, SavedTarget saved) {
    put(client, SavedStates.pageOf(uid), Map.of(uid, saved.toBytes()));
  }

  static void put(KubernetesClient client, String page, Map<String, byte[]> entries) {
    var data = new HashMap<String, String>();
    entries.forEach((uid, it) -> data.put(uid, Base64.getEncoder().encodeToString(it)));
    client
        .configMaps()
        .inNamespace("prescale")
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("prescale")
                .withName(page)
                .endMetadata()
                .withBinaryData(data)
                .build())
        .create();
  }
}
