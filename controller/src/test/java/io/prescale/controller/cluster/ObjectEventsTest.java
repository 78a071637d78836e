package io.prescale.controller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectEventsTest {
  private final List<String> events = new ArrayList<>();
  private final ObjectEvents<Pod> handler =
      new ObjectEvents<>(pod -> events.add("+" + uid(pod)), pod -> events.add("-" + uid(pod)));

  private static String uid(Pod pod) {
    return pod.getMetadata().getUid();
  }

  private static Pod pod(String uid) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("worker-0")
        .withUid(uid)
        .endMetadata()
        .build();
  }

  @Test
  void anObjectThatWasMadeAgainBetweenTwoListsIsGoneFirst() {
    handler.onAdd(pod("a"));
    handler.onUpdate(pod("a"), pod("a"));
    handler.onUpdate(pod("a"), pod("b"));
    handler.onDelete(pod("b"), true);

    assertThat(events).containsExactly("+a", "+a", "-a", "+b", "-b");
  }
}
