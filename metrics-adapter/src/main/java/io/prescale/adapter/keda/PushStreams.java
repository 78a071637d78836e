package io.prescale.adapter.keda;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.prescale.adapter.keda.Reply.Reason;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The open calls of triggers of type {@code external-push}: each gets the unary call's answer at
 * once, and then whenever that changes. Nothing is said while it is unknown. Thread-safe.
 */
final class PushStreams implements AutoCloseable {
  private static final Duration TO_END = Duration.ofSeconds(2);

  private final ExternalScaler scaler;
  private final int atMost;
  private final Set<Stream> open = ConcurrentHashMap.newKeySet();

  /** The only thread that writes to streams. */
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("keda-streams").daemon().factory());

  /**
   * No streams yet.
   *
   * @param every how often to look for changes
   */
  PushStreams(ExternalScaler scaler, int atMost, Duration every) {
    this.scaler = scaler;
    this.atMost = atMost;
    long nanos = every.toNanos();
    var _ = looks.scheduleWithFixedDelay(this::look, nanos, nanos, TimeUnit.NANOSECONDS);
  }

  /**
   * Takes in a call; refuses it if its trigger makes no sense, or if there are too many.
   *
   * @param answer what is sent
   */
  Reply<Boolean> open(
      ScaledObjectRef ref,
      Function<ScaledObjectRef, Reply<byte[]>> answer,
      ServerCallStreamObserver<byte[]> out) {
    return scaler
        .metrics(ref)
        .then(
            _ -> {
              var stream = new Stream(ref, answer, out);
              out.setOnCancelHandler(() -> open.remove(stream));
              if (!admit(stream)) {
                return Reply.refused(
                    Reason.TOO_MANY,
                    "%d streams of triggers of type external-push are open already; use type external, or add replicas."
                        .formatted(atMost));
              }
              looks.execute(stream::look);
              return new Reply.Given<>(true);
            });
  }

  /** A refused one is never open: its call is ended by another thread. */
  private synchronized boolean admit(Stream stream) {
    return open.size() < atMost && open.add(stream);
  }

  private void look() {
    open.forEach(Stream::look);
  }

  /** Ends the streams as KEDA expects it of a server that stops: it soon opens others. */
  @Override
  public void close() {
    if (looks.isShutdown()) {
      return;
    }
    try {
      looks.submit(() -> open.forEach(Stream::end)).get(TO_END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("streams could not be ended", e);
    } finally {
      looks.shutdownNow();
    }
  }

  private final class Stream {
    private final ScaledObjectRef ref;
    private final Function<ScaledObjectRef, Reply<byte[]>> answer;
    private final ServerCallStreamObserver<byte[]> out;
    private Optional<ByteBuffer> sent = Optional.empty();

    Stream(
        ScaledObjectRef ref,
        Function<ScaledObjectRef, Reply<byte[]>> answer,
        ServerCallStreamObserver<byte[]> out) {
      this.ref = ref;
      this.answer = answer;
      this.out = out;
    }

    /** Sends what is new; a failure ends this stream only. */
    void look() {
      try {
        sendNews();
      } catch (RuntimeException e) {
        open.remove(this);
        if (!out.isCancelled()) {
          out.onError(Status.INTERNAL.withCause(e).asRuntimeException());
        }
      }
    }

    /** A client that is not ready gets only the newest value, later. */
    private void sendNews() {
      if (!open.contains(this) || out.isCancelled() || !out.isReady()) {
        return;
      }
      switch (answer.apply(ref)) {
        case Reply.Given<byte[]>(var message) -> {
          var now = Optional.of(ByteBuffer.wrap(message));
          if (!sent.equals(now)) {
            sent = now;
            out.onNext(message);
          }
        }
        case Reply.Refused<byte[]> refused -> {
          if (refused.reason() != Reason.UNKNOWN) { // deleted
            open.remove(this);
            out.onError(ExternalScalerService.status(refused).asRuntimeException());
          }
        }
      }
    }

    void end() {
      open.remove(this);
      if (!out.isCancelled()) {
        out.onCompleted();
      }
    }
  }
}
