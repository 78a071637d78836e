package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FitQueueTest {
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());

  @Test
  void namespacesTakeTurnsHoweverManyFitsOneHas() throws InterruptedException {
    try (var queue = new FitQueue(1)) {
      var gate = occupy(queue);
      for (int i = 0; i < 100; i++) {
        fit(queue, "greedy", "greedy-" + i);
      }
      fit(queue, "modest", "modest-0");
      fit(queue, "modest", "modest-1");
      runAll(queue, gate);
    }

    assertThat(done)
        .hasSize(102)
        .startsWith("greedy-0", "modest-0", "greedy-1", "modest-1", "greedy-2");
  }

  @Test
  void theFitsOfATargetThatWasEditedAreDropped() throws InterruptedException {
    try (var queue = new FitQueue(1)) {
      var gate = occupy(queue);
      fit(queue, "team", "edited");
      fit(queue, "team", "kept");
      queue.drop("edited");
      queue.drop("unknown");
      runAll(queue, gate);
    }

    assertThat(done).containsExactly("kept");
  }

  private void fit(FitQueue queue, String namespace, String target) {
    queue.of(namespace, target).execute(() -> done.add(target));
  }

  /** Keeps the only thread busy until the latch is released. */
  private static CountDownLatch occupy(FitQueue queue) throws InterruptedException {
    var gate = new CountDownLatch(1);
    var busy = new CountDownLatch(1);
    queue
        .of("first", "first")
        .execute(
            () -> {
              busy.countDown();
              try {
                gate.await();
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
    assertThat(busy.await(30, TimeUnit.SECONDS)).isTrue();
    return gate;
  }

  private static void runAll(FitQueue queue, CountDownLatch gate) throws InterruptedException {
    var last = new CountDownLatch(1);
    gate.countDown();
    for (int i = 0; i < 200; i++) { // its namespace's turns come after those of all others
      queue.of("last", "last").execute(i == 199 ? last::countDown : () -> {});
    }
    assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
  }
}
