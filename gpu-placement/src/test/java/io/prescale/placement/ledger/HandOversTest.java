package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HandOversTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Of one hand-over, before any was seen. */
  private static final Duration USUAL = Duration.ofMillis(250);

  private final AtomicLong nanos = new AtomicLong();
  private final HandOvers handOvers = new HandOvers(nanos::get, Duration.ofSeconds(30));
  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();

  @Test
  void letsOnePodAtATimeOnANodeAndEveryNodeAtOnce() throws InterruptedException {
    assertThat(handOvers.take("a", "p", PATIENCE)).isTrue();
    assertThat(handOvers.take("b", "q", PATIENCE)).isTrue();
    assertThat(handOvers.take("a", "p", PATIENCE)).as("its own turn").isTrue();

    var next = taking("a", "r");
    await().until(() -> handOvers.expectedWait("a").equals(USUAL.multipliedBy(2)));
    assertThat(next).isNotDone();
    handOvers.done("a", "q");
    assertThat(next).as("q has no turn there").isNotDone();
    handOvers.done("a", "p");

    assertThat(next.join()).isTrue();
    assertThat(handOvers.expectedWait("a")).isPositive().isEqualTo(handOvers.expectedWait("b"));
    assertThat(handOvers.expectedWait("c")).isZero();
  }

  @Test
  void passesAPodByWhosePluginNeverAnswers() throws InterruptedException {
    handOvers.take("a", "p", PATIENCE);
    nanos.addAndGet(Duration.ofSeconds(31).toNanos());

    assertThat(handOvers.take("a", "q", PATIENCE)).isTrue();
    handOvers.done("a", "p");
    assertThat(handOvers.expectedWait("a")).as("p's turn was over").isEqualTo(USUAL);
  }

  @Test
  void givesTheTurnToAPodThatIsFoundInIt() throws InterruptedException {
    handOvers.begin("a", "found");
    handOvers.begin("a", "other");

    assertThat(handOvers.take("a", "q", Duration.ZERO)).isFalse();
    handOvers.done("a", "found");
    assertThat(handOvers.take("a", "q", Duration.ZERO)).isTrue();
  }

  @Test
  void givesUpWhenThePatienceIsOver() throws InterruptedException {
    handOvers.take("a", "p", PATIENCE);

    assertThat(handOvers.take("a", "q", Duration.ZERO)).isFalse();
    assertThat(handOvers.expectedWait("a")).isEqualTo(USUAL);
  }

  @Test
  void expectsAWaitThatFollowsWhatHandOversTook() throws InterruptedException {
    handOvers.take("a", "p", PATIENCE);
    assertThat(handOvers.expectedWait("a")).isEqualTo(USUAL);
    assertThat(handOvers.expectedWait("b")).isZero();

    nanos.addAndGet(Duration.ofMillis(650).toNanos());
    assertThat(handOvers.expectedWait("a")).as("as long again").isEqualTo(Duration.ofMillis(650));
    handOvers.done("a", "p");
    handOvers.take("a", "q", PATIENCE);

    assertThat(handOvers.expectedWait("a")).isEqualTo(Duration.ofMillis(250 + 400 / 8));
  }

  @Test
  void countsAHandOverThatTookVeryLongAsFourUsualOnes() throws InterruptedException {
    handOvers.take("a", "p", PATIENCE);
    nanos.addAndGet(Duration.ofSeconds(20).toNanos());
    handOvers.done("a", "p");
    handOvers.take("b", "q", PATIENCE);

    assertThat(handOvers.expectedWait("b")).isEqualTo(Duration.ofNanos(343_750_000));
  }

  private CompletableFuture<Boolean> taking(String node, String pod) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return handOvers.take(node, pod, PATIENCE);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        threads);
  }
}
