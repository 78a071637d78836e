package io.prescale.controller.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A kubeconfig of tests. */
public final class Kubeconfig {
  private Kubeconfig() {}

  /** Writes one with the context {@code here}, of a server that asks for no credentials. */
  public static Path in(Path folder, String server) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: here
        clusters: [{name: here, cluster: {server: "%s"}}]
        contexts: [{name: here, context: {cluster: here, user: me}}]
        users: [{name: me, user: {}}]
        """
            .formatted(server));
  }
}
