package io.prescale.controller.lab;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What the extender's metrics say every ten seconds. Thread-safe. */
final class WeekGauges implements AutoCloseable {
  private static final int SECONDS = 10;
  private static final double CARD_MILLI = 1000;
  private static final String USED = "prescale_gpuqueue_used_cards{gpuqueue=\"team-";

  private static final String WAITING = "prescale_gpuqueue_waiting_pods{gpuqueue=\"team-";

  private final ExtenderInLab extender;
  private final int openCards;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final List<Sample> samples = new CopyOnWriteArrayList<>();

  WeekGauges(ExtenderInLab extender, int openCards) {
    this.extender = extender;
    this.openCards = openCards;
  }

  private record Sample(double usedCards, double fragmentedCards, double waiting) {}

  void start() {
    var _ = clock.scheduleWithFixedDelay(this::sample, SECONDS, SECONDS, TimeUnit.SECONDS);
  }

  private void sample() {
    try {
      var lines = lines();
      samples.add(
          new Sample(
              sum(lines, USED),
              sum(lines, "prescale_gpu_fragmented_milli") / CARD_MILLI,
              sum(lines, WAITING)));
    } catch (IOException _) {
      // The next one may be answered.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private List<String> lines() throws IOException, InterruptedException {
    return extender.get("/metrics").lines().toList();
  }

  private static double sum(List<String> lines, String prefix) {
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  void stop() {
    clock.shutdownNow();
  }

  void print() {
    System.out.printf(
        Locale.ROOT,
        "%d samples: %.1f %% of the open cards in use, at most %.1f %%; fragments %.1f cards, at"
            + " most %.1f; waiting %.1f pods, at most %.0f%n",
        samples.size(),
        100 * samples.stream().mapToDouble(Sample::usedCards).average().orElse(0) / openCards,
        100 * samples.stream().mapToDouble(Sample::usedCards).max().orElse(0) / openCards,
        samples.stream().mapToDouble(Sample::fragmentedCards).average().orElse(0),
        samples.stream().mapToDouble(Sample::fragmentedCards).max().orElse(0),
        samples.stream().mapToDouble(Sample::waiting).average().orElse(0),
        samples.stream().mapToDouble(Sample::waiting).max().orElse(0));
  }

  /** What was counted until now of taking back and of moves. */
  List<String> totals() throws IOException, InterruptedException {
    return lines().stream()
        .filter(line -> line.matches("prescale_(reclaim|moves)_.*(total|count|sum).*"))
        .toList();
  }

  /** What queues of the week have, cards or pods that wait. */
  List<String> held() throws IOException, InterruptedException {
    return lines().stream()
        .filter(line -> line.startsWith(USED) || line.startsWith(WAITING))
        .filter(line -> !line.endsWith(" 0.0"))
        .toList();
  }

  @Override
  public void close() {
    stop();
  }
}
