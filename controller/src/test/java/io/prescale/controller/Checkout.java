package io.prescale.controller;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Locates the repository's files from any module. */
public final class Checkout {
  private Checkout() {}

  /** The root of the checkout. */
  public static Path root() {
    var folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("mvnw"))) {
      folder = Objects.requireNonNull(folder.getParent(), "the tests run outside the repository");
    }
    return folder;
  }

  /** The folder of real data beside the checkout; it may be absent. */
  public static Path shared() {
    return root().resolveSibling("shared");
  }
}
