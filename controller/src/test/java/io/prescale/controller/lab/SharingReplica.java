package io.prescale.controller.lab;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** A replica that shares the work with others, and its own metrics. */
record SharingReplica(String identity, Replica replica, int metricsPort) implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Pattern TICKS =
      Pattern.compile("prescale_ticks_total\\{namespace=\"default\",name=\"([^\"]+)\",} (\\S+)");

  static SharingReplica start(PrescaleInLab prescale, String identity, boolean serves)
      throws IOException {
    int port = PrescaleInLab.freePort();
    String[] options = {"--sharded", "--metrics-port=" + port};
    var replica =
        serves ? prescale.start(identity, options) : prescale.startBeside(identity, options);
    return new SharingReplica(identity, replica, port);
  }

  /** How often it has ticked each PredictiveHPA. */
  Map<String, Double> ticks() throws IOException, InterruptedException {
    var url = URI.create("http://127.0.0.1:%d/metrics".formatted(metricsPort));
    var body = HTTP.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString()).body();
    var ticks = new HashMap<String, Double>();
    var line = TICKS.matcher(body);
    while (line.find()) {
      ticks.put(line.group(1), Double.parseDouble(line.group(2)));
    }
    return ticks;
  }

  @Override
  public void close() {
    replica.close();
  }
}
