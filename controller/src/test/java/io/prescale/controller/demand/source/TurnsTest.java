package io.prescale.controller.demand.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private final Turns turns = new Turns(8);

  @Test
  void aNamespaceTakesAtMostAsManyAsItLeaves() throws Exception {
    assertThat(takenBy("a")).isEqualTo(4);
    assertThat(takenBy("b")).isEqualTo(2);
    assertThat(takenBy("c")).isEqualTo(1);
    assertThat(takenBy("d")).isEqualTo(1);
    assertThat(takenBy("e")).isZero();
    turns.end("a");
    assertThat(takenBy("a")).as("it has three, and one is free").isZero();
    assertThat(takenBy("e")).isEqualTo(1);
  }

  @Test
  void aNamespaceAloneIsNotHeldUpByThoseBefore() throws Exception {
    assertThat(takenBy("a")).isEqualTo(4);
    for (int i = 0; i < 4; i++) {
      turns.end("a");
    }
    assertThat(turns.areAllFree()).isTrue();
    assertThat(takenBy("b")).isEqualTo(4);
  }

  @Test
  void aRequestThatWaitsBeginsWhenOneEnds() throws Exception {
    takenBy("a");
    var begun = new CompletableFuture<Boolean>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                begun.complete(turns.begin("a", Duration.ofSeconds(30)));
              } catch (InterruptedException e) {
                begun.completeExceptionally(e);
              }
            });
    turns.end("a");

    assertThat(begun.get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void allServersThatUsersNameHaveTogetherAsManyAsFour() throws Exception {
    var settings = SourceSettings.defaults();
    var all = new Turns.OfAllServers(settings);
    for (int i = 0; i < 4; i++) {
      var server = new Turns.OfServer("own-" + i, settings).within(all);
      assertThat(takenBy("a", server.histories())).isEqualTo(4);
    }
    var fifth = new Turns.OfServer("own-4", settings).within(all).histories();
    assertThat(takenBy("a", fifth)).isZero();
    assertThat(fifth.areAllFree()).as("none is taken at a server that is not asked").isTrue();
    for (int i = 0; i < 2; i++) {
      var server = new Turns.OfServer("its-" + i, settings).within(all);
      assertThat(takenBy("b", server.histories())).isEqualTo(4);
    }
    assertThat(takenBy("b", fifth)).isZero();
    assertThat(takenBy("c", fifth)).isEqualTo(4);
  }

  private int takenBy(String namespace) throws InterruptedException {
    return takenBy(namespace, turns);
  }

  private static int takenBy(String namespace, Turns turns) throws InterruptedException {
    int taken = 0;
    while (turns.begin(namespace, Duration.ofMillis(1))) {
      taken++;
    }
    return taken;
  }
}
