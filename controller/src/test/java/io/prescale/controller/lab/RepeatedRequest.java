package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * GETs over HTTPS, one after the other and again from the beginning, on connections that stay open.
 */
final class RepeatedRequest {
  private static final String LENGTH = "content-length:";

  private final SSLContext tls;
  private final int port;
  private final List<byte[]> requests;

  /**
   * @param port on loopback
   * @param headers whole lines
   */
  RepeatedRequest(SSLContext tls, int port, List<String> paths, List<String> headers) {
    this.tls = tls;
    this.port = port;
    var lines = String.join("\r\n", headers);
    this.requests =
        paths.stream()
            .map(path -> "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n".formatted(path, lines))
            .map(request -> request.getBytes(ISO_8859_1))
            .toList();
  }

  /** How long answers took. */
  static final class Latencies {
    private final Duration time;
    private final long[] nanos;

    private Latencies(Duration time, LongStream nanos) {
      this.time = time;
      this.nanos = nanos.sorted().toArray();
    }

    double perSecond() {
      return nanos.length / (time.toNanos() / 1e9);
    }

    private double milliseconds(double level) {
      return nanos[(int) (level * (nanos.length - 1))] / 1e6;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.0f requests/s, p50 %.2f ms, p99 %.2f ms",
          perSecond(),
          milliseconds(0.5),
          milliseconds(0.99));
    }
  }

  /**
   * Asks for a time, each connection again as soon as it has its answer; anything but 200 is an
   * error.
   */
  Latencies ask(int connections, Duration time) throws InterruptedException, ExecutionException {
    return ask(connections, time, Duration.ZERO);
  }

  /**
   * The same, with one request on each connection in an interval, or as soon as its answer is there
   * if that is later. An answer's time counts from when its request was due.
   */
  Latencies ask(int connections, Duration time, Duration interval)
      throws InterruptedException, ExecutionException {
    var opened = new CyclicBarrier(connections);
    Callable<LongStream> one = () -> askOnOneConnection(opened, time.toNanos(), interval.toNanos());
    try (var threads = Executors.newFixedThreadPool(connections)) {
      var all = LongStream.empty();
      for (var each : threads.invokeAll(Collections.nCopies(connections, one))) {
        all = LongStream.concat(all, each.get());
      }
      return new Latencies(time, all);
    }
  }

  /** Whether each is answered with 200 now. */
  boolean areAllAnswered() {
    return areAnswered(requests);
  }

  /** Whether the first is. */
  boolean isFirstAnswered() {
    return areAnswered(requests.subList(0, 1));
  }

  private boolean areAnswered(List<byte[]> asked) {
    try (var socket = tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      var in = new BufferedInputStream(socket.getInputStream());
      for (var request : asked) {
        socket.getOutputStream().write(request);
        readAnswer(in);
      }
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /** Begins when all connections are open: handshakes would delay what is due meanwhile. */
  private LongStream askOnOneConnection(CyclicBarrier opened, long time, long interval)
      throws Exception {
    var nanos = LongStream.builder();
    try (var socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setTcpNoDelay(true);
      socket.startHandshake();
      opened.await(1, TimeUnit.MINUTES);
      long end = System.nanoTime() + time;
      var in = new BufferedInputStream(socket.getInputStream());
      var out = socket.getOutputStream();
      int next = ThreadLocalRandom.current().nextInt(requests.size());
      long first = System.nanoTime() + ThreadLocalRandom.current().nextLong(interval + 1);
      for (long due = first; due < end; next = (next + 1) % requests.size()) {
        LockSupport.parkNanos(due - System.nanoTime());
        out.write(requests.get(next));
        readAnswer(in);
        long now = System.nanoTime();
        nanos.add(now - due);
        due = interval == 0 ? now : due + interval;
      }
    }
    return nanos.build();
  }

  private static void readAnswer(InputStream in) throws IOException {
    var status = line(in);
    if (!status.startsWith("HTTP/1.1 200 ")) {
      throw new IOException("the answer was " + status);
    }
    int length = -1;
    for (var header = line(in); !header.isEmpty(); header = line(in)) {
      if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
    }
    if (length < 0) {
      throw new IOException("the answer has no length");
    }
    in.skipNBytes(length);
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection was closed after \"" + line + "\"");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
