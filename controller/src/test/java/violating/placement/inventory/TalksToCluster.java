package violating.placement.inventory;

import io.fabric8.kubernetes.client.KubernetesClient;

public record TalksToCluster(KubernetesClient client) {}
