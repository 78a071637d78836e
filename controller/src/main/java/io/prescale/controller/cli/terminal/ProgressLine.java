package io.prescale.controller.cli.terminal;

import io.prescale.forecasting.DurationInWords;
import java.io.PrintWriter;
import java.time.Duration;

/**
 * A progress bar with the estimated time left, on one line of a terminal. Prints nothing if the
 * output is not a terminal.
 */
public final class ProgressLine implements AutoCloseable {
  private static final Duration REDRAW = Duration.ofMillis(100);
  private static final Duration SETTLED = Duration.ofSeconds(2);
  private static final int BAR = 24;
  private static final String CLEAR = "\r\u001b[K";

  /** Nanoseconds since an arbitrary origin. */
  @FunctionalInterface
  interface Ticker {
    long nanos();
  }

  private final PrintWriter err;
  private final Terminal terminal;
  private final boolean shown;
  private final String label;
  private final Ticker ticker;
  private final long began;
  private long drawn;

  /**
   * Creates a line, which appears with the first {@link #update}.
   *
   * @param wanted false if the user switched progress off
   */
  ProgressLine(PrintWriter err, Terminal terminal, boolean wanted, String label, Ticker ticker) {
    this.err = err;
    this.terminal = terminal;
    this.shown = wanted && terminal.interactive();
    this.label = label;
    this.ticker = ticker;
    this.began = ticker.nanos();
    this.drawn = began - REDRAW.toNanos();
  }

  public synchronized void update(long done, long of) {
    long now = ticker.nanos();
    if (!shown || of <= 0 || (now - drawn < REDRAW.toNanos() && done < of)) {
      return;
    }
    drawn = now;
    err.print(CLEAR + line(done, of, Duration.ofNanos(now - began)));
    err.flush();
  }

  @Override
  public synchronized void close() {
    if (shown) {
      err.print(CLEAR);
      err.flush();
    }
  }

  private String line(long done, long of, Duration elapsed) {
    double share = Math.clamp((double) done / of, 0, 1);
    int full = (int) Math.round(BAR * share);
    var bar =
        (terminal.unicode() ? "█" : "#").repeat(full)
            + (terminal.unicode() ? "░" : ".").repeat(BAR - full);
    var line = "%s %s %3.0f %%%s".formatted(label, bar, 100 * share, remaining(share, elapsed));
    return line.length() < terminal.columns() ? line : line.substring(0, terminal.columns() - 1);
  }

  private static String remaining(double share, Duration elapsed) {
    if (share <= 0 || share >= 1 || elapsed.compareTo(SETTLED) < 0) {
      return "";
    }
    double seconds = elapsed.toMillis() / 1000.0 * (1 - share) / share;
    return ", " + DurationInWords.of(Duration.ofSeconds(1 + (long) seconds)) + " left";
  }
}
