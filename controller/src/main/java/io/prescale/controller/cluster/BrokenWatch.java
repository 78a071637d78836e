package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles an informer's broken watch, which is retried for ever: one line for the log when the
 * fault begins, when it is another one than before, ten at most, and when it has ended, however
 * many attempts fail. The client library's own log, a stack trace for each attempt, is turned off
 * in {@code simplelogger.properties}.
 */
public final class BrokenWatch implements ExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(BrokenWatch.class);
  private static final int MOST_FAULTS = 10;
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final String what;
  private final BooleanSupplier isRunning;
  private final BooleanSupplier isWatching;
  private final Consumer<String> log;
  private final Set<String> faults = new HashSet<>();
  private int failures;

  BrokenWatch(
      String what, BooleanSupplier isRunning, BooleanSupplier isWatching, Consumer<String> log) {
    this.what = what;
    this.isRunning = isRunning;
    this.isWatching = isWatching;
    this.log = log;
  }

  /**
   * Has an informer retry for ever.
   *
   * @param what it watches, for the log
   */
  public static ExceptionHandler retried(SharedIndexInformer<?> informer, String what) {
    return new BrokenWatch(what, informer::isRunning, informer::isWatching, LOG::warn);
  }

  @Override
  public synchronized boolean retryAfterException(boolean started, Throwable failure) {
    var text = text(failure);
    failures++;
    if (faults.isEmpty()) {
      lookLater();
    }
    if (faults.size() < MOST_FAULTS && faults.add(text)) { // they may alternate
      log.accept(
          "The watch of %s is interrupted and retried until it succeeds: %s".formatted(what, text));
    }
    return true;
  }

  private void lookLater() {
    CompletableFuture.delayedExecutor(LOOK.toMillis(), TimeUnit.MILLISECONDS).execute(this::look);
  }

  private synchronized void look() {
    if (!isRunning.getAsBoolean()) {
      return; // it was stopped
    }
    if (!isWatching.getAsBoolean()) {
      lookLater();
      return;
    }
    log.accept("The watch of %s is on again, after %d failed attempts.".formatted(what, failures));
    faults.clear();
    failures = 0;
  }

  static String text(Throwable failure) {
    var innermost = ApiFailure.innermost(failure);
    return ApiFailure.within(failure)
        .map(ApiFailure::text)
        .orElseGet(
            () ->
                Objects.requireNonNullElse(
                    innermost.getMessage(), innermost.getClass().getSimpleName()));
  }
}
