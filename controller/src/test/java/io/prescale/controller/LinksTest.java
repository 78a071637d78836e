package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the links of the documentation to files that exist. */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

  @TempDir private Path folder;

  @Test
  void everyRelativeLinkLeadsToAFile() throws IOException {
    try (var pages = Files.walk(Checkout.root().resolve("docs"));
        var top = Files.list(Checkout.root())) {
      var documents =
          Stream.concat(pages, top).filter(page -> page.toString().endsWith(".md")).toList();

      assertThat(documents).hasSizeGreaterThan(20);
      for (var document : documents) {
        assertThat(broken(document)).as(document.toString()).isEmpty();
      }
    }
  }

  @Test
  void findsALinkThatLeadsNowhere() throws IOException {
    var page = folder.resolve("page.md");
    Files.writeString(
        page,
        "[here](page.md), [part](page.md#part), [web](https://a.b/c), [gone](../gone.md#part)");

    assertThat(broken(page)).containsExactly("../gone.md");
  }

  private static List<String> broken(Path page) throws IOException {
    var folder = Objects.requireNonNull(page.getParent());
    return LINK.matcher(Files.readString(page))
        .results()
        .map(link -> link.group(1))
        .filter(link -> !link.contains(":"))
        .filter(link -> !Files.exists(folder.resolve(link)))
        .toList();
  }
}
