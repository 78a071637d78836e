package io.prescale.controller.lab;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a laboratory says of itself when it is ready.
 *
 * @param version of the API server, such as {@code v1.36.3}
 * @param startSeconds how long it took to get ready
 * @param folder with logs, keys and data; gone when the laboratory has stopped
 * @param kubeconfig of an administrator; needs no other file
 * @param kubectl of the same version; talks to this laboratory only
 * @param authority signs the API server's certificate and those of clients
 * @param control where single components are stopped and started
 * @param prometheus where Prometheus serves, if it was asked for
 * @param components by name
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Laboratory(
    String version,
    double startSeconds,
    Path folder,
    Path kubeconfig,
    URI server,
    Path kubectl,
    KeyPairFiles authority,
    FrontProxy frontProxy,
    Path auditLog,
    URI control,
    @Nullable URI prometheus,
    Map<String, Component> components) {

  /** PEM files of a certificate and its key. */
  public record KeyPairFiles(Path cert, Path key) {}

  /**
   * What the API server shows to the servers of aggregated APIs.
   *
   * @param client the API server's own, which may speak for every user
   * @param stranger of the same authority, under a name that is not allowed
   */
  public record FrontProxy(KeyPairFiles authority, KeyPairFiles client, KeyPairFiles stranger) {}

  /**
   * One program.
   *
   * @param pid 0 when it does not run
   */
  public record Component(long pid, Path log) {}
}
