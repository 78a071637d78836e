package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FitQueueTest {
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void namespacesTakeTurnsHoweverManyFitsOneHas() throws InterruptedException {
    try (var queue = new FitQueue(1, nanos::get)) {
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
  void aNamespaceOfCostlyFitsHasNoMoreTimeThanOthers() throws InterruptedException {
    try (var queue = new FitQueue(1, nanos::get)) {
      var gate = occupy(queue);
      for (int i = 0; i < 10; i++) {
        fit(queue, "costly", "costly", 3);
        fit(queue, "light", "light", 1);
      }
      runAll(queue, gate);
    }

    assertThat(done)
        .hasSize(20)
        .startsWith(
            "costly", "light", "light", "light", "costly", "light", "light", "light", "costly");
  }

  /** Three of one namespace, which overlap on two threads, take 5, 10 and more. */
  @Test
  void fitsThatRunAtTheSameTimeAllCount() throws InterruptedException {
    try (var queue = new FitQueue(2, nanos::get)) {
      var first = occupy(queue, "both");
      var second = occupy(queue, "both");
      nanos.addAndGet(5);
      first.countDown();
      var third = occupy(queue, "both");
      nanos.addAndGet(5);
      second.countDown();
      var gate = occupy(queue, "gate");
      for (int i = 0; i < 12; i++) {
        fit(queue, "both", "both", 1);
        fit(queue, "other", "other", 1);
      }
      gate.countDown();
      await().atMost(30, TimeUnit.SECONDS).until(() -> done.size() == 24);
      third.countDown();
    }

    assertThat(done.subList(0, 10)).containsOnly("other");
  }

  @Test
  void oneThatHasWaitedForNothingHasNoCredit() throws InterruptedException {
    try (var queue = new FitQueue(1, nanos::get)) {
      var gate = occupy(queue);
      for (int i = 0; i < 10; i++) {
        fit(queue, "early", "early", 1);
      }
      queue.of("early", "early").execute(() -> lateFits(queue));
      runAll(queue, gate);
    }

    assertThat(done).hasSize(30);
    assertThat(done.subList(10, 30)).doesNotContainSequence("late", "late", "late");
  }

  /** Of one that comes when the other has had ten turns, and of that one. */
  private void lateFits(FitQueue queue) {
    for (int i = 0; i < 10; i++) {
      fit(queue, "late", "late", 1);
      fit(queue, "early", "early", 1);
    }
  }

  @Test
  void theFitsOfATargetThatWasEditedAreDropped() throws InterruptedException {
    try (var queue = new FitQueue(1, nanos::get)) {
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
    fit(queue, namespace, target, 1);
  }

  private void fit(FitQueue queue, String namespace, String target, long cost) {
    queue
        .of(namespace, target)
        .execute(
            () -> {
              nanos.addAndGet(cost);
              done.add(target);
            });
  }

  /** Keeps a thread busy until the latch is released. */
  private static CountDownLatch occupy(FitQueue queue) throws InterruptedException {
    return occupy(queue, "first");
  }

  private static CountDownLatch occupy(FitQueue queue, String namespace)
      throws InterruptedException {
    var gate = new CountDownLatch(1);
    var busy = new CountDownLatch(1);
    queue
        .of(namespace, "first")
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

  private void runAll(FitQueue queue, CountDownLatch gate) throws InterruptedException {
    var last = new CountDownLatch(200); // more turns than others have
    for (int i = 0; i < 200; i++) {
      queue
          .of("last", "last")
          .execute(
              () -> {
                nanos.incrementAndGet();
                last.countDown();
              });
    }
    gate.countDown();
    assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
  }
}
