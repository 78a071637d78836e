package io.prescale.controller.lab;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The extender as a process of its own, with the permissions that the chart gives it. */
final class ExtenderInLab {
  /** What pods run that pull images; the policy permits no other. */
  static final String PULLING_IMAGE = "example.com/prescale:1";

  private final Path kubeconfig;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();

  private ExtenderInLab(Path kubeconfig, int port) {
    this.kubeconfig = kubeconfig;
    this.port = port;
  }

  /** The scheduler's configuration, with an extender on a port. */
  static Path schedulerConfiguration(Path folder, int port) throws IOException {
    var text = Files.readString(Helm.CHART.resolve("scheduler/configuration.yaml"));
    return Files.writeString(
        folder.resolve("scheduler.yaml"),
        text.replace("http://127.0.0.1:8888", "http://127.0.0.1:" + port));
  }

  /** A laboratory without nodes, whose scheduler has an extender on a port. */
  static Lab emptyLab(Path folder, int port) throws IOException, InterruptedException {
    return Lab.start(
        "--nodes=0",
        "--pod-start-delay=0s",
        "--scheduler-config=" + schedulerConfiguration(folder, port));
  }

  /** Installs the permissions, and the policies that narrow them. */
  static ExtenderInLab install(Lab lab, Path folder, int port)
      throws IOException, InterruptedException {
    lab.apply(ReleaseObjects.restrictedNamespace());
    lab.apply(
        new Helm("helm4", lab, folder)
            .template(
                "--set=scheduler.enabled=true,scheduler.claims=true,scheduler.reclaim=true,scheduler.moves.mode=Act",
                "--set=scheduler.warm.mode=On,scheduler.warm.image=" + PULLING_IMAGE,
                "--show-only=templates/scheduler-rbac.yaml",
                "--show-only=templates/scheduler-policies.yaml"));
    return new ExtenderInLab(PrescaleInLab.kubeconfig(lab, folder, "prescale-scheduler"), port);
  }

  /** The same on another port, which the scheduler does not ask. */
  ExtenderInLab beside() throws IOException {
    return new ExtenderInLab(kubeconfig, PrescaleInLab.freePort());
  }

  /** Starts it and waits until it answers. */
  Replica start(String name, String... options) throws IOException, InterruptedException {
    var replica = launch(name, options);
    for (int attempt = 0; attempt < 3000 && replica.process().isAlive(); attempt++) {
      if (isReady()) {
        return replica;
      }
      Thread.sleep(100);
    }
    throw new IllegalStateException(
        "the extender does not get ready: " + Files.readString(replica.log()));
  }

  /** Starts it, as the chart does with {@code scheduler.reclaim}. */
  Replica launch(String name, String... options) throws IOException {
    var command = PrescaleInLab.program("extender", "--kubeconfig=" + kubeconfig, "--port=" + port);
    command.addAll(List.of(options));
    return Replica.start(
        name, command, Map.of("JDK_JAVA_OPTIONS", "-Dprescale.extender.reclaim=true"));
  }

  /** Whether it answers. */
  boolean isReady() throws InterruptedException {
    try {
      return http.send(request("/health/readiness").build(), BodyHandlers.discarding()).statusCode()
          == 200;
    } catch (IOException _) {
      return false;
    }
  }

  /** What a page says. */
  String get(String path) throws IOException, InterruptedException {
    return http.send(request(path).build(), BodyHandlers.ofString()).body();
  }

  /** What is answered to a question of kube-scheduler. */
  String post(String path, String body) throws IOException, InterruptedException {
    return http.send(
            request(path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString())
        .body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)));
  }
}
