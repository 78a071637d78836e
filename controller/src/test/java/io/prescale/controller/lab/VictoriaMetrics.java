package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * VictoriaMetrics as a single node on this machine.
 *
 * @param url where it answers as Prometheus does
 */
record VictoriaMetrics(Replica program, URI url, HttpClient http) implements AutoCloseable {
  /**
   * Starts it.
   *
   * @param name its folder's and its log's
   * @param scrapes what it reads, in Prometheus' format
   * @param options further ones of its command line
   */
  static VictoriaMetrics start(Path folder, String name, String scrapes, String... options)
      throws IOException, InterruptedException {
    var address = "127.0.0.1:" + PrescaleInLab.freePort();
    var config = Files.writeString(folder.resolve(name + ".yaml"), scrapes);
    var command = new ArrayList<String>();
    command.add(Lab.victoriaMetrics().toString());
    command.add("-storageDataPath=" + folder.resolve(name));
    command.add("-httpListenAddr=" + address);
    command.add("-promscrape.config=" + config);
    command.addAll(List.of(options));
    var started =
        new VictoriaMetrics(
            Replica.start(name, command, Map.of()),
            URI.create("http://" + address),
            HttpClient.newHttpClient());
    patiently().until(() -> started.ask(started.request("/health").build()).equals("OK"));
    return started;
  }

  /** Takes in lines of OpenMetrics, without the end mark. */
  void fill(Stream<String> lines) throws IOException, InterruptedException {
    var body = lines.collect(Collectors.joining("\n", "", "\n"));
    ask(request("/api/v1/import/prometheus").POST(BodyPublishers.ofString(body)).build());
    ask(request("/internal/force_flush").build()); // so that it is found at once
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url.resolve(path));
  }

  private String ask(HttpRequest request) throws IOException, InterruptedException {
    var response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IllegalStateException(response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  @Override
  public void close() {
    program.close();
    http.close();
  }
}
