package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A real Helm, which talks to a laboratory and keeps its files in a folder of the test.
 *
 * @param name of the program in the laboratory's folder: helm3 or helm4
 */
record Helm(String name, Lab lab, Path folder) {
  static final Path CHART = Checkout.root().resolve("charts/prescale");

  /**
   * Runs it as the administrator and gives what it printed.
   *
   * @throws IllegalStateException if it fails, with what it said
   */
  String run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(arguments));
  }

  /** The objects of the chart in the namespace of a release. */
  String template(String... options) throws IOException, InterruptedException {
    var arguments = new ArrayList<String>();
    arguments.addAll(List.of("template", "prescale", CHART.toString()));
    arguments.add("--namespace=" + ReleasedProgram.NAMESPACE);
    arguments.addAll(List.of(options));
    return run(arguments);
  }

  String run(List<String> arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Lab.program(name).toString());
    command.addAll(arguments);
    var errors = Files.createTempFile(folder, name, ".err");
    var builder = new ProcessBuilder(command).redirectError(errors.toFile());
    var environment = builder.environment();
    environment.put("KUBECONFIG", lab.describe().kubeconfig().toString());
    environment.put("HELM_CACHE_HOME", folder.resolve("helm-cache").toString());
    environment.put("HELM_CONFIG_HOME", folder.resolve("helm-config").toString());
    environment.put("HELM_DATA_HOME", folder.resolve("helm-data").toString());
    var process = builder.start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(
          "%s %s: %s%s".formatted(name, arguments, output, Files.readString(errors)));
    }
    return output;
  }
}
