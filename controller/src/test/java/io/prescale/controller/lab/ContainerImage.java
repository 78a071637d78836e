package io.prescale.controller.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The image that {@code -Pimage} makes, unpacked: its layers one over the other, and how it is
 * started. Its paths lead into the folder, because the test is not the container's root.
 */
record ContainerImage(Path root, JsonNode config) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path TARGET = Checkout.root().resolve("controller/target");
  private static final Path TARBALL = TARGET.resolve("prescale-image.tar");
  private static final Path PROGRAM = TARGET.resolve("prescale.jar");

  /** Unpacks the tarball, if there is one that is no older than the program. */
  static Optional<ContainerImage> unpack(Path folder) throws IOException, InterruptedException {
    if (!Files.exists(TARBALL) || changed(TARBALL).compareTo(changed(PROGRAM)) < 0) {
      return Optional.empty();
    }
    var archive = Files.createDirectory(folder.resolve("image"));
    untar(TARBALL, archive);
    var manifest = JSON.readTree(archive.resolve("manifest.json").toFile()).get(0);
    var root = Files.createDirectory(folder.resolve("root"));
    for (JsonNode layer : manifest.get("Layers")) {
      untar(archive.resolve(layer.asText()), root);
    }
    var image =
        new ContainerImage(
            root, JSON.readTree(archive.resolve(manifest.get("Config").asText()).toFile()));
    var classPath = root.resolve("opt/prescale/classpath");
    Files.writeString(classPath, image.inside(Files.readString(classPath)));
    return Optional.of(image);
  }

  private static FileTime changed(Path file) throws IOException {
    return Files.getLastModifiedTime(file);
  }

  /** What a container runtime would start, with the container's arguments. */
  List<String> command(List<String> arguments) {
    var command = new ArrayList<String>();
    for (JsonNode word : config.at("/config/Entrypoint")) {
      command.add(inside(word.asText()));
    }
    command.addAll(arguments);
    return command;
  }

  private String inside(String words) {
    return words.replaceAll("(^|[ :=@])(/(app|opt)/)", "$1" + root + "$2");
  }

  private static void untar(Path archive, Path into) throws IOException, InterruptedException {
    var tar =
        new ProcessBuilder("tar", "-xf", archive.toString(), "-C", into.toString())
            .redirectErrorStream(true)
            .start();
    var output = new String(tar.getInputStream().readAllBytes(), UTF_8);
    if (tar.waitFor() != 0) {
      throw new IllegalStateException(archive + ": " + output);
    }
  }
}
