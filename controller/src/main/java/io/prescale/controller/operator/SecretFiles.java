package io.prescale.controller.operator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Certificates and keys from Secrets as files that only this process' user can read, until closed.
 * Equal content has one file, so that equal settings stay equal. Thread-safe.
 */
public final class SecretFiles implements AutoCloseable {
  private final Path folder;
  private final Map<String, Path> files = new ConcurrentHashMap<>();

  /**
   * A new empty folder.
   *
   * @param below an existing folder, such as the one for temporary files
   */
  public static SecretFiles below(Path below) throws IOException {
    return new SecretFiles(
        Files.createTempDirectory(
            below,
            "prescale-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
  }

  private SecretFiles(Path folder) {
    this.folder = folder;
  }

  /** The file with this content. */
  Path holding(byte[] content) {
    return files.computeIfAbsent(digest(content), name -> write(name, content));
  }

  private Path write(String name, byte[] content) {
    try {
      return Files.write(folder.resolve(name + ".pem"), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }

  @Override
  public void close() {
    try {
      for (Path file : files.values()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
