package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Containers without what they run: what they ask for, and whether one is a sidecar. */
public final class BriefContainers {
  private BriefContainers() {}

  /** Name, resources and restart policy of each; none of null. */
  public static List<Container> of(@Nullable List<Container> containers) {
    return containers == null
        ? List.of()
        : containers.stream()
            .map(
                it ->
                    new ContainerBuilder()
                        .withName(it.getName())
                        .withResources(it.getResources())
                        .withRestartPolicy(it.getRestartPolicy())
                        .build())
            .toList();
  }
}
