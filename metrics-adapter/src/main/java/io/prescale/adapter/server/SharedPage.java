package io.prescale.adapter.server;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A large page for anyone who asks: made at most once a second, and on its way to at most eight
 * callers at a time, who have {@link ConnectionLimits}' time to take each piece of it, and half a
 * minute for all. Thread-safe.
 */
public final class SharedPage {
  private static final int AT_ONCE = 8;
  private static final Duration FRESH = Duration.ofSeconds(1);
  private static final Duration TAKEN_WITHIN = Duration.ofSeconds(30);

  private final Content content;
  private final InstantSource clock;
  private final Semaphore places = new Semaphore(AT_ONCE, true);
  private final Set<OnItsWay> onTheirWay = ConcurrentHashMap.newKeySet();
  private @Nullable Made made;

  /** What is on the page. */
  @FunctionalInterface
  public interface Content {
    void write(Writer writer) throws IOException;
  }

  @SuppressWarnings("ArrayRecordComponent") // written once, and read by streams only
  private record Made(byte[] page, Instant at) {}

  /** A page that was not asked for yet. */
  public SharedPage(Content content, InstantSource clock) {
    this.content = content;
    this.clock = clock;
  }

  /**
   * The page, whose stream is to be closed, and cannot be read after half a minute; 429 where no
   * place is free within a second. Blocks.
   */
  public HttpResponse<InputStream> answer() throws IOException, InterruptedException {
    onTheirWay.forEach(OnItsWay::endIfOverdue);
    if (!places.tryAcquire(FRESH.toMillis(), TimeUnit.MILLISECONDS)) {
      return HttpResponse.<InputStream>status(HttpStatus.TOO_MANY_REQUESTS)
          .header(HttpHeaders.RETRY_AFTER, String.valueOf(FRESH.toSeconds()));
    }
    @Nullable OnItsWay way = null;
    try {
      var page = page();
      way = new OnItsWay(clock.instant()); // the time that the page took is not the caller's
      onTheirWay.add(way);
      return HttpResponse.<InputStream>ok(way.with(page));
    } finally { // also when memory was short for the page
      if (way == null) {
        places.release();
      }
    }
  }

  private synchronized byte[] page() throws IOException {
    var now = clock.instant();
    var known = made;
    if (known != null && Duration.between(known.at(), now).abs().compareTo(FRESH) < 0) {
      return known.page();
    }
    var bytes = new ByteArrayOutputStream(known == null ? 0 : known.page().length);
    try (var writer = new OutputStreamWriter(bytes, StandardCharsets.UTF_8)) {
      content.write(writer);
    }
    var page = bytes.toByteArray();
    made = new Made(page, now);
    return page;
  }

  /** A place that is taken until the answer's stream is closed, or too much time has passed. */
  private final class OnItsWay {
    private final Instant since;
    private final AtomicBoolean isEnded = new AtomicBoolean();

    OnItsWay(Instant since) {
      this.since = since;
    }

    InputStream with(byte[] page) {
      return new FilterInputStream(new ByteArrayInputStream(page)) {
        @Override
        public int read() throws IOException {
          requireTime();
          return super.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          requireTime();
          return super.read(bytes, offset, length);
        }

        @Override
        public void close() {
          end();
        }
      };
    }

    private void requireTime() throws IOException {
      endIfOverdue();
      if (isEnded.get()) {
        throw new IOException("the page was not taken within " + TAKEN_WITHIN);
      }
    }

    void endIfOverdue() {
      if (Duration.between(since, clock.instant()).abs().compareTo(TAKEN_WITHIN) >= 0) {
        end();
      }
    }

    void end() {
      if (isEnded.compareAndSet(false, true)) {
        onTheirWay.remove(this);
        places.release();
      }
    }
  }
}
