package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.Checkout;
import io.prescale.controller.lab.Laboratory.Component;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A running laboratory ({@code e2e/lab}): a real control plane with fake nodes, for the tests of
 * one class. Skips the tests, with the reason, where it cannot be built.
 */
public final class Lab implements AutoCloseable {
  private static final Path SOURCES = Checkout.root().resolve("e2e/lab");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int STOP_SECONDS = 60;

  private final Process process;
  private final Laboratory laboratory;
  private final HttpClient http = HttpClient.newHttpClient();

  /** What can be done to one component; each is done when the call returns. */
  public enum Verb {
    /** SIGTERM, and after five seconds SIGKILL. */
    STOP,
    /** SIGKILL. */
    KILL,
    /** On the addresses and with the data that it had; returns when it is ready. */
    START,
    RESTART,
    /** SIGSTOP: it hears nothing and keeps its connections. */
    PAUSE,
    CONTINUE
  }

  private Lab(Process process, Laboratory laboratory) {
    this.process = process;
    this.laboratory = laboratory;
  }

  /**
   * Builds the laboratory, which takes minutes on a machine that never did, and starts it.
   *
   * @param options as {@code e2e/lab/start -h} lists them
   * @throws IllegalStateException if it was built and does not start, with what it says
   */
  public static Lab start(String... options) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(programs().resolve("lab").toString());
    command.addAll(List.of(options));
    var complaints = Files.createTempFile("lab", ".err");
    try {
      var process = new ProcessBuilder(command).redirectError(complaints.toFile()).start();
      var ready = process.inputReader(UTF_8).readLine();
      if (ready == null) {
        process.waitFor();
        throw new IllegalStateException(Files.readString(complaints).strip());
      }
      return new Lab(process, JSON.readValue(ready, Laboratory.class));
    } finally {
      Files.delete(complaints);
    }
  }

  /** What the laboratory said when it was ready; the pids are those of that moment. */
  public Laboratory describe() {
    return laboratory;
  }

  /** A program that was built with the laboratory, such as {@code helm3}. */
  static Path program(String name) throws IOException, InterruptedException {
    return programs().resolve(name);
  }

  /** What the components are now. */
  public Map<String, Component> components() throws IOException, InterruptedException {
    var answer = control(HttpRequest.newBuilder(laboratory.control()).GET().build());
    return JSON.readValue(answer, new TypeReference<Map<String, Component>>() {});
  }

  /**
   * Stops, starts or otherwise treats one component.
   *
   * @param component such as {@code kube-apiserver}
   * @throws IllegalStateException if it cannot be done, with the reason
   */
  public void command(String component, Verb verb) throws IOException, InterruptedException {
    var path = "/" + component + "/" + verb.name().toLowerCase(Locale.ROOT);
    var url = URI.create(laboratory.control() + path);
    control(HttpRequest.newBuilder(url).POST(BodyPublishers.noBody()).build());
  }

  /**
   * Runs kubectl as the administrator and gives what it printed.
   *
   * @throws IllegalStateException if it fails, with what it said
   */
  public String kubectl(String... arguments) throws IOException, InterruptedException {
    return kubectlWith("", arguments);
  }

  /** Waits until all definitions are served; kubectl fails on one that has no conditions yet. */
  public void awaitDefinitions() {
    Awaitility.await()
        .atMost(Duration.ofMinutes(5))
        .ignoreExceptionsMatching(e -> String.valueOf(e.getMessage()).contains("accessor error"))
        .until(
            () -> kubectl("wait", "crd", "--all", "--for=condition=Established", "--timeout=1m"),
            it -> !it.isEmpty());
  }

  /** Creates or changes objects, of YAML or JSON. */
  public String apply(String manifest) throws IOException, InterruptedException {
    return kubectlWith(manifest, "apply", "-f", "-");
  }

  /**
   * Ends it.
   *
   * @throws IllegalStateException if it does not end well, or if Prescale asked for what the
   *     chart's roles do not permit, or may do what no test uses
   */
  @Override
  public void close() {
    List<String> faults;
    try {
      faults = addUsedPermissions();
    } finally {
      stop();
    }
    if (!faults.isEmpty()) {
      throw new IllegalStateException(String.join("; ", faults));
    }
  }

  private void stop() {
    process.destroy();
    try {
      process.onExit().orTimeout(STOP_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      process.destroyForcibly();
      throw new IllegalStateException("the laboratory did not stop in " + STOP_SECONDS + " s", e);
    }
    if (process.exitValue() != 0) {
      throw new IllegalStateException("the laboratory ended with exit code " + process.exitValue());
    }
  }

  private List<String> addUsedPermissions() {
    try {
      return UsedPermissions.add(this).faults();
    } catch (IllegalStateException _) {
      // The test has ended the API server.
    } catch (IOException | UncheckedIOException e) {
      System.err.println("Which permissions were used is not known: " + e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return List.of();
  }

  private String kubectlWith(String input, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(laboratory.kubectl().toString()));
    command.addAll(List.of(arguments));
    var errors = Files.createTempFile("kubectl", ".err");
    try {
      var kubectl = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      try (var stdin = kubectl.outputWriter(UTF_8)) {
        stdin.write(input);
      }
      var output = new String(kubectl.getInputStream().readAllBytes(), UTF_8);
      if (kubectl.waitFor() != 0) {
        throw new IllegalStateException(Files.readString(errors).strip());
      }
      return output;
    } finally {
      Files.delete(errors);
    }
  }

  private String control(HttpRequest request) throws IOException, InterruptedException {
    var response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IllegalStateException(response.body().strip());
    }
    return response.body();
  }

  private static Path programs() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString());
  }

  /** Kubernetes' example of an adapter, whose first build takes three minutes. */
  static Path sampleAdapter() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "sample-adapter").resolve("test-adapter");
  }

  /** A program that calls an external scaler by KEDA's own client; built in some seconds. */
  static Path kedaClient() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "keda-client").resolve("keda-client");
  }

  /** KEDA's programs and definitions, whose first build takes a quarter of an hour. */
  static Path keda() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "keda");
  }

  /** Karpenter and its definitions, whose first build takes six minutes. */
  static Path karpenter() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "karpenter");
  }

  /** Argo CD's controller and repository server; the first build takes 21 minutes. */
  static Path argoCd() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "argo-cd");
  }

  /** Flux's kustomize-controller and source-controller; the first build takes 18 minutes. */
  static Path flux() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "flux");
  }

  /** The VerticalPodAutoscaler's updater and webhook; the first build takes ten minutes. */
  static Path verticalPodAutoscaler() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "vpa");
  }

  /** Argo Rollouts' controller and definitions, whose first build takes five minutes. */
  static Path argoRollouts() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "argo-rollouts");
  }

  /** LeaderWorkerSet's controllers, definition and webhooks; the first build takes six minutes. */
  static Path leaderWorkerSet() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "lws");
  }

  /** VictoriaMetrics as a single node; built in a minute. */
  static Path victoriaMetrics() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "victoria-metrics")
        .resolve("victoria-metrics");
  }

  /** The custom resource definitions of serving platforms, which are downloaded once. */
  static Path platforms() throws IOException, InterruptedException {
    return programs(SOURCES.resolve("build").toString(), "platforms");
  }

  /** The folder of the built programs; the build says on standard error how it gets on. */
  private static Path programs(String... command) throws IOException, InterruptedException {
    var build = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var output = new String(build.getInputStream().readAllBytes(), UTF_8).strip();
    if (build.waitFor() != 0) {
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException("the laboratory cannot be built; e2e/lab/build says why");
      }
      abort("skipped: the laboratory cannot be built here; e2e/lab/build says why");
    }
    return Path.of(output);
  }
}
