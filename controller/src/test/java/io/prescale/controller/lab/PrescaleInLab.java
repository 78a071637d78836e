package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.controller.Checkout;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Prescale installed in a laboratory with exactly the permissions of its chart, and its replicas as
 * processes of their own.
 */
public final class PrescaleInLab {
  /** A system property: replicas are compiled as in production, not so that they start fast. */
  static final String LONG_RUNS = "prescale.longRuns";

  /** A system property: the heap of a replica, such as 1g. */
  static final String HEAP = "prescale.heap";

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * What the chart installs beside the program. The program makes the APIService itself, which it
   * may where the metrics of another adapter pass through it.
   */
  private static final List<String> OWN =
      List.of(
          "--set=apiService.passThrough=verified",
          "--set=prometheus.secretNamespaces={default}",
          "--show-only=templates/serviceaccount.yaml",
          "--show-only=templates/rbac.yaml",
          "--show-only=templates/pages.yaml",
          "--show-only=templates/certificate.yaml");

  private static final String NAMESPACE =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: prescale}
      """;

  private final Lab lab;
  private final Path kubeconfig;
  private final int port;

  private PrescaleInLab(Lab lab, Path kubeconfig, int port) {
    this.lab = lab;
    this.kubeconfig = kubeconfig;
    this.port = port;
  }

  /**
   * Installs the custom resource definition, the permissions and the Service.
   *
   * @param folder for the service account's kubeconfig
   */
  public static PrescaleInLab install(Lab lab, Path folder)
      throws IOException, InterruptedException {
    var repository = Checkout.root();
    lab.kubectl("apply", "--server-side", "-f", repository + "/charts/prescale/crds");
    lab.awaitDefinitions();
    lab.apply(NAMESPACE);
    var own = Files.createTempFile(folder, "chart", ".yaml");
    Files.writeString(own, new Helm("helm4", lab, folder).template(OWN.toArray(String[]::new)));
    lab.kubectl("apply", "--server-side", "-f", own.toString());
    int port = freePort();
    var service = Files.readString(repository.resolve("e2e/manifests/adapter.yaml"));
    lab.apply(service.replace("@PORT@", Integer.toString(port)));
    return new PrescaleInLab(lab, kubeconfig(lab, folder, "prescale"), port);
  }

  /** The kubeconfig of Prescale's service account. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  /**
   * The same, reaching the API server by another port of this machine.
   *
   * @param kubeconfig that is written, with a token of its own
   */
  PrescaleInLab behind(int apiServerPort, Path kubeconfig)
      throws IOException, InterruptedException {
    var own = Files.createTempDirectory(kubeconfig.getParent(), "behind");
    var direct = Files.readString(kubeconfig(lab, own, "prescale"));
    var server = ":" + lab.describe().server().getPort();
    Files.writeString(kubeconfig, direct.replace(server, ":" + apiServerPort));
    return new PrescaleInLab(lab, kubeconfig, port);
  }

  /** The port that the Service names. */
  public int port() {
    return port;
  }

  /**
   * Starts a replica that listens on the Service's port.
   *
   * @param identity its name, and its log's
   * @param options further ones of {@code prescale controller}
   */
  public Replica start(String identity, String... options) throws IOException {
    return start(identity, port, Map.of(), options);
  }

  /** The same with variables of the environment. */
  Replica start(String identity, Map<String, String> environment, String... options)
      throws IOException {
    return start(identity, port, environment, options);
  }

  /** Starts a replica that listens on another port, which nobody asks. */
  public Replica startBeside(String identity, String... options) throws IOException {
    return start(identity, freePort(), Map.of(), options);
  }

  /** The same on a port that the test knows, with variables of the environment. */
  Replica startBeside(String identity, int on, Map<String, String> environment) throws IOException {
    return start(identity, on, environment);
  }

  private Replica start(String identity, int on, Map<String, String> environment, String... options)
      throws IOException {
    var command =
        program(
            "controller",
            "--kubeconfig=" + kubeconfig,
            "--identity=" + identity,
            "--host=127.0.0.1",
            "--port=" + on,
            "--service=prescale/prescale",
            "--service-port=" + port,
            "--shortest-step=1s");
    command.addAll(List.of(options));
    if (command.stream().noneMatch(option -> option.startsWith("--metrics-port="))) {
      command.add("--metrics-port=0");
    }
    if (lab.describe().prometheus() != null) {
      command.add("--prometheus=" + lab.describe().prometheus());
    }
    return Replica.start(identity, command, environment);
  }

  /** Runs another command of {@code prescale} as the service account and gives what it printed. */
  public String run(String... arguments) throws IOException, InterruptedException {
    var command = program(arguments);
    command.add("--kubeconfig=" + kubeconfig);
    var errors = Replica.logs().resolve("run.err");
    var process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(Files.readString(errors));
    }
    return output;
  }

  /**
   * The command line of {@code prescale} with these arguments, run from the packaged jar. It starts
   * with half of the work where the launcher has recorded the classes of the demo.
   */
  static List<String> program(String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (!Boolean.getBoolean(LONG_RUNS)) {
      command.add("-XX:TieredStopAtLevel=1");
    }
    Optional.ofNullable(System.getProperty(HEAP)).ifPresent(most -> command.add("-Xmx" + most));
    // It fits only without --enable-native-access, for which the jar has an attribute.
    command.add("-XX:AOTCache=" + Checkout.root().resolve("target/launcher/demo.aot"));
    // A recording that does not fit is ignored, with a warning.
    command.add("-Xlog:disable");
    command.add("-Xlog:all=error,aot*=off,cds*=off:stderr");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=info");
    command.add("-jar");
    command.add(Checkout.root().resolve("controller/target/prescale.jar").toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Writes the kubeconfig of a service account of the namespace prescale. */
  static Path kubeconfig(Lab lab, Path folder, String serviceAccount)
      throws IOException, InterruptedException {
    return kubeconfig(lab, folder, "prescale", serviceAccount);
  }

  /** The same of any namespace. */
  static Path kubeconfig(Lab lab, Path folder, String namespace, String serviceAccount)
      throws IOException, InterruptedException {
    var token =
        lab.kubectl("create", "token", serviceAccount, "--namespace=" + namespace, "--duration=4h")
            .strip();
    var config = (ObjectNode) JSON.readTree(lab.kubectl("config", "view", "--raw", "-o", "json"));
    for (JsonNode user : config.withArray("users")) {
      ((ObjectNode) user).putObject("user").put("token", token);
    }
    return Files.writeString(
        folder.resolve(serviceAccount + ".kubeconfig"), JSON.writeValueAsString(config));
  }

  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
