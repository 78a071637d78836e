package io.prescale.controller.lab;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.lab.Laboratory.KeyPairFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A new authority and a new certificate for the API server's requests to aggregated APIs, in the
 * steps in which an administrator replaces them: both are trusted, the new one is used, the former
 * is no longer trusted.
 */
final class FrontProxyRotation {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Lab lab;
  private final KeyPairFiles inUse;
  private final Path trusted;
  private final String formerAuthority;
  private final String nextAuthority;
  private final KeyPairFiles former;
  private final KeyPairFiles next;

  private FrontProxyRotation(Lab lab, Path folder, Laboratory.FrontProxy of) throws IOException {
    var own = lab.describe().frontProxy();
    this.lab = lab;
    this.inUse = own.client();
    this.trusted = own.authority().cert();
    this.formerAuthority = Files.readString(trusted);
    this.nextAuthority = Files.readString(of.authority().cert());
    this.former = copy(inUse, folder, "former");
    this.next = copy(of.client(), folder, "next");
  }

  /** With the authority of another laboratory, whose certificate has the same name. */
  static FrontProxyRotation prepare(Lab lab, Path folder) throws IOException, InterruptedException {
    try (var other = Lab.start("--nodes=0")) {
      return new FrontProxyRotation(lab, folder, other.describe().frontProxy());
    }
  }

  private static KeyPairFiles copy(KeyPairFiles files, Path folder, String name)
      throws IOException {
    return new KeyPairFiles(
        Files.copy(files.cert(), folder.resolve(name + ".pem")),
        Files.copy(files.key(), folder.resolve(name + "-key.pem")));
  }

  KeyPairFiles former() {
    return former;
  }

  KeyPairFiles next() {
    return next;
  }

  /** The API server reads the file again, and tells aggregated APIs within a minute. */
  void trustBoth() throws IOException {
    Files.writeString(trusted, formerAuthority + nextAuthority);
  }

  void useNext() throws IOException {
    replace(inUse.key(), next.key());
    replace(inUse.cert(), next.cert());
  }

  /** At once, so that the API server reads no part of a file and always finds one. */
  private static void replace(Path file, Path by) throws IOException {
    var beside = file.resolveSibling(file.getFileName() + ".next");
    Files.move(Files.copy(by, beside), file, ATOMIC_MOVE);
  }

  /** The API server itself only adds authorities to what aggregated APIs trust. */
  void trustNextOnly() throws IOException, InterruptedException {
    Files.writeString(trusted, nextAuthority);
    lab.kubectl(
        "patch",
        "configmap",
        "extension-apiserver-authentication",
        "--namespace=kube-system",
        "--type=merge",
        "--patch="
            + JSON.writeValueAsString(
                Map.of("data", Map.of("requestheader-client-ca-file", nextAuthority))));
  }
}
