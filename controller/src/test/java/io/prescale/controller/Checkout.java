package io.prescale.controller;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Where the tests find the repository's files, from whichever module they are started in. */
public final class Checkout {
  private Checkout() {}

  /** The folder of the checkout. */
  public static Path root() {
    var folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("mvnw"))) {
      folder = Objects.requireNonNull(folder.getParent(), "the tests run outside the repository");
    }
    return folder;
  }

  /** The folder of real data beside the checkout, which not everyone has. */
  public static Path shared() {
    return root().resolveSibling("shared");
  }
}
