package io.prescale.adapter.server;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A large page for anyone who asks: made at most once a second, and on its way to at most two
 * callers at a time, who have {@link ConnectionLimits}' time to take it. Thread-safe.
 */
public final class SharedPage {
  private static final int AT_ONCE = 2;
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final Content content;
  private final InstantSource clock;
  private final Semaphore places = new Semaphore(AT_ONCE, true);
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

  /** The page, whose stream is to be closed; 429 where no place is free within a second. Blocks. */
  public HttpResponse<InputStream> answer() throws IOException, InterruptedException {
    if (!places.tryAcquire(FRESH.toMillis(), TimeUnit.MILLISECONDS)) {
      return HttpResponse.<InputStream>status(HttpStatus.TOO_MANY_REQUESTS)
          .header(HttpHeaders.RETRY_AFTER, String.valueOf(FRESH.toSeconds()));
    }
    var way = new OnItsWay();
    try {
      return HttpResponse.<InputStream>ok(way.with(page()));
    } catch (IOException | RuntimeException e) {
      way.end();
      throw e;
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

  /** A place that is taken until the answer's stream is closed. */
  private final class OnItsWay {
    private final AtomicBoolean isEnded = new AtomicBoolean();

    InputStream with(byte[] page) {
      return new ByteArrayInputStream(page) {
        @Override
        public void close() {
          end();
        }
      };
    }

    void end() {
      if (isEnded.compareAndSet(false, true)) {
        places.release();
      }
    }
  }
}
