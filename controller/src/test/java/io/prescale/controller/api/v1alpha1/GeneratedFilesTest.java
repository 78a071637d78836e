package io.prescale.controller.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Holds the files that are generated from the types to the types; renews them when asked to. */
class GeneratedFilesTest {
  private static final boolean RENEW = Boolean.getBoolean("prescale.renew");

  @Test
  void theDefinitionIsThatOfTheTypes() throws IOException {
    assertCurrent(GeneratedCrd.FILE, GeneratedCrd.yaml());
  }

  private static void assertCurrent(Path file, String generated) throws IOException {
    var inRepository = repository().resolve(file);
    if (RENEW) {
      Files.createDirectories(inRepository.getParent());
      Files.writeString(inRepository, generated);
    }
    assertThat(inRepository)
        .as("%s is not what the types say; renew it with: %s", file, GeneratedCrd.RENEWAL)
        .content()
        .isEqualTo(generated);
  }

  private static Path repository() {
    var folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("mvnw"))) {
      folder = Objects.requireNonNull(folder.getParent());
    }
    return folder;
  }
}
