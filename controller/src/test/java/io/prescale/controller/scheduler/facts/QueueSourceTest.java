package io.prescale.controller.scheduler.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import org.junit.jupiter.api.Test;

class QueueSourceTest {
  @Test
  void podsNameTheirQueueInTheWordsOfItsSystem() {
    var pod =
        new ObjectMetaBuilder()
            .addToLabels("kueue.x-k8s.io/cluster-queue-name", "cluster")
            .addToLabels("kai.scheduler/queue", "kai")
            .addToAnnotations("scheduling.volcano.sh/queue-name", "volcano");

    assertThat(QueueSource.PRESCALE.queue(pod.build())).isEmpty();
    assertThat(QueueSource.KUEUE.queue(pod.build())).contains("cluster");
    var local = new ObjectMetaBuilder().withNamespace("lab");
    assertThat(
            QueueSource.KUEUE.queue(
                local.addToLabels("kueue.x-k8s.io/local-queue-name", "old").build()))
        .contains("lab/old");
    assertThat(
            QueueSource.KUEUE.queue(
                local.addToLabels("kueue.x-k8s.io/queue-name", "users").build()))
        .contains("lab/users");
    assertThat(QueueSource.KAI.queue(pod.build())).contains("kai");
    assertThat(QueueSource.VOLCANO.queue(pod.build())).contains("volcano");
    assertThat(QueueSource.KAI.queue(pod.addToLabels("gpu.prescale.io/queue", "ours").build()))
        .contains("ours");
    assertThat(QueueSource.KAI.queue(new ObjectMetaBuilder().build())).isEmpty();
  }
}
