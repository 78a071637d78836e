package io.prescale.controller.demand.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Prometheus server of its own for a test, on a free port of the loopback interface, with a
 * history loaded by promtool. Skips the test where the two programs are not installed.
 */
public final class RealPrometheus implements AutoCloseable {
  private static final Pattern LISTENING =
      Pattern.compile("msg=\"?Listening on\"? address=127\\.0\\.0\\.1:(\\d+)");
  private static final int START_SECONDS = 60;
  private static final String DATA = "data";

  private final Process process;
  private final Path log;
  private final String scheme;

  private RealPrometheus(Process process, Path log, String scheme) {
    this.process = process;
    this.log = log;
    this.scheme = scheme;
  }

  /** A server that needs no credentials. */
  public static RealPrometheus start(Path folder, Stream<String> openMetrics)
      throws IOException, InterruptedException {
    return start(folder, openMetrics, "");
  }

  /**
   * A server with its own rules for being let in.
   *
   * @param folder for everything that the server writes; must exist
   * @param openMetrics the samples, a line each, without the end mark
   * @param webConfig of Prometheus' {@code --web.config.file}
   */
  public static RealPrometheus start(Path folder, Stream<String> openMetrics, String webConfig)
      throws IOException, InterruptedException {
    backfill(folder.resolve(DATA), openMetrics);
    return start(folder, "scrape_configs: []\n", webConfig);
  }

  /**
   * A server with a history that goes on reading expositions.
   *
   * @param folder for everything that the server writes; must exist
   * @param openMetrics the samples, a line each, without the end mark
   * @param config of Prometheus' {@code --config.file}
   */
  public static RealPrometheus scraping(Path folder, Stream<String> openMetrics, String config)
      throws IOException, InterruptedException {
    backfill(folder.resolve(DATA), openMetrics);
    return start(folder, config, "");
  }

  /**
   * A server without a history that reads expositions.
   *
   * @param folder for everything that the server writes; must exist
   * @param config of Prometheus' {@code --config.file}
   */
  public static RealPrometheus scraping(Path folder, String config)
      throws IOException, InterruptedException {
    requireInstalled();
    return start(folder, config, "");
  }

  private static RealPrometheus start(Path folder, String prometheusConfig, String webConfig)
      throws IOException, InterruptedException {
    var config = Files.writeString(folder.resolve("prometheus.yml"), prometheusConfig);
    var web = Files.writeString(folder.resolve("web.yml"), webConfig);
    var log = folder.resolve("prometheus.log");
    var process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + config,
                "--web.config.file=" + web,
                "--web.listen-address=127.0.0.1:0",
                "--storage.tsdb.path=" + folder.resolve(DATA),
                "--storage.tsdb.retention.time=100y")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    var scheme = webConfig.contains("tls_server_config") ? "https" : "http";
    var server = new RealPrometheus(process, log, scheme);
    server.awaitReady();
    return server;
  }

  /** Where it can be reached. */
  public URI url() {
    return URI.create(scheme + "://127.0.0.1:" + port());
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  private static void requireInstalled() {
    assumeTrue(
        isInstalled("prometheus") && isInstalled("promtool"),
        "skipped: without Prometheus it stays unproven that a real one is understood; apt-get"
            + " install prometheus brings it and promtool.");
  }

  /**
   * Writes a history for a server that does not run; skips the test without promtool.
   *
   * @param data the server's folder of data
   * @param openMetrics the samples, a line each, without the end mark
   */
  public static void backfill(Path data, Stream<String> openMetrics)
      throws IOException, InterruptedException {
    requireInstalled();
    var lines = new ArrayList<>(openMetrics.toList());
    lines.add("# EOF");
    var input = Files.write(data.resolveSibling("history.om"), lines);
    run("promtool", "tsdb", "create-blocks-from", "openmetrics", "" + input, "" + data);
  }

  private static void run(String... command) throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + " failed: " + output);
    }
  }

  private void awaitReady() throws IOException, InterruptedException {
    for (int i = 0; i < START_SECONDS * 20; i++) {
      var said = Files.readString(log);
      // In either order.
      if (said.contains("Server is ready to receive web requests")
          && LISTENING.matcher(said).find()) {
        return;
      }
      if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    close();
    throw new IllegalStateException("Prometheus did not start: " + Files.readString(log));
  }

  private String port() {
    try {
      var listening = LISTENING.matcher(Files.readString(log));
      if (!listening.find()) {
        throw new IllegalStateException("Prometheus does not say its port");
      }
      return listening.group(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isInstalled(String program) {
    return List.of(System.getenv("PATH").split(":")).stream()
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
