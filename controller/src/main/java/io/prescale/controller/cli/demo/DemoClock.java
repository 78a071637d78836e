package io.prescale.controller.cli.demo;

import io.prescale.controller.demo.Demo;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Lets the simulated minutes of a demo pass at their speed. */
final class DemoClock {
  private static final int MINUTES_A_DAY = 24 * 60;
  private static final double NANOS_A_MINUTE = 60e9;

  /** A large demo, or one on a busy machine, learns its histories while it runs. */
  private static final Duration LONGEST_WARMING = Duration.ofSeconds(60);

  /** Of a minute, when fits are late; time goes on slowly even if they never end. */
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(10);

  private static final Duration A_MOMENT = Duration.ofMillis(50);

  private final Demo demo;
  private final DemoVoice voice;
  private final long nanosAMinute;
  private final boolean incidents;
  private final long runNanos;
  private final LongSupplier nanoTime;

  /**
   * @param incidents whether anything happens by itself
   * @param stopAfter how much real time; never when null
   * @param nanoTime a clock that never goes back
   */
  DemoClock(
      Demo demo,
      DemoVoice voice,
      double speed,
      boolean incidents,
      @Nullable Duration stopAfter,
      LongSupplier nanoTime) {
    this.demo = demo;
    this.voice = voice;
    this.nanosAMinute = Math.round(NANOS_A_MINUTE / speed);
    this.incidents = incidents;
    this.runNanos = stopAfter == null ? Long.MAX_VALUE : stopAfter.toNanos();
    this.nanoTime = nanoTime;
  }

  /** Returns when it is time to stop. Minutes that take longer than they may are not caught up. */
  void run() throws InterruptedException {
    long begun = nanoTime.getAsLong();
    voice.timeBegins(waitWhile(this::isLearning, LONGEST_WARMING));
    long due = nanoTime.getAsLong();
    for (int minute = 1; nanoTime.getAsLong() - begun < runNanos; minute++) {
      waitWhile(demo::isBehind, LONGEST_DELAY);
      demo.step();
      if (incidents) {
        demo.byItself().forEach(it -> voice.happened(it.at(), it.text()));
      }
      if (minute % MINUTES_A_DAY == 0) {
        voice.dayPassed(minute / MINUTES_A_DAY, demo.now(), demo.tally());
      }
      long now = nanoTime.getAsLong();
      due = Math.max(due + nanosAMinute, now);
      Thread.sleep(Duration.ofNanos(due - now));
    }
  }

  private boolean isLearning() {
    boolean warm = demo.isWarm();
    demo.doing().ifPresent(voice::learns);
    return !warm;
  }

  /** Whether it came to an end in time. */
  private boolean waitWhile(BooleanSupplier condition, Duration atMost)
      throws InterruptedException {
    long begun = nanoTime.getAsLong();
    while (condition.getAsBoolean()) {
      if (nanoTime.getAsLong() - begun > atMost.toNanos()) {
        return false;
      }
      Thread.sleep(A_MOMENT);
    }
    return true;
  }
}
