package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The program as a release installs it: the arguments of the Deployment's container, the identity
 * of its service account, and the image if it was built. In the laboratory pods do not run; this is
 * one that does.
 */
final class ReleasedProgram {
  static final String NAMESPACE = "prescale";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Lab lab;
  private final Path folder;
  private final Optional<ContainerImage> image;

  ReleasedProgram(Lab lab, Path folder) throws IOException, InterruptedException {
    this.lab = lab;
    this.folder = folder;
    this.image = ContainerImage.unpack(folder);
  }

  /** Whether the image is what is started. */
  boolean isImage() {
    return image.isPresent();
  }

  /** Starts what the Deployment's pods would run, as they would. */
  Replica start(String identity) throws IOException, InterruptedException {
    return start(identity, "prescale", arguments("prescale", "prescale"));
  }

  /** The arguments of a container of a Deployment, or of one beside them. */
  List<String> arguments(String deployment, String container)
      throws IOException, InterruptedException {
    var pod =
        JSON.readTree(
                lab.kubectl(
                    "get", "deployment", deployment, "--namespace=" + NAMESPACE, "-o", "json"))
            .at("/spec/template/spec");
    var arguments = new ArrayList<String>();
    for (var containers : List.of(pod.path("initContainers"), pod.path("containers"))) {
      for (var candidate : containers) {
        if (candidate.get("name").asText().equals(container)) {
          candidate.get("args").forEach(argument -> arguments.add(argument.asText()));
        }
      }
    }
    return arguments;
  }

  /** Starts the program as a service account of the release. */
  Replica start(String identity, String serviceAccount, List<String> arguments)
      throws IOException, InterruptedException {
    var command =
        image.isPresent()
            ? image.get().command(arguments)
            : PrescaleInLab.program(arguments.toArray(String[]::new));
    var kubeconfig = PrescaleInLab.kubeconfig(lab, folder, serviceAccount).toString();
    return Replica.start(identity, command, Map.of("KUBECONFIG", kubeconfig, "HOSTNAME", identity));
  }
}
