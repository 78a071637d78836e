package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links in the documentation to files of the repository are valid. */
class LinksInPagesTest {
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#|mailto:)([^)#\\s]+)");

  @Test
  void everyLinkLeadsToAFileThatIsThere() throws IOException {
    var broken = new ArrayList<String>();
    int found = 0;
    var pages = pages();
    for (var page : pages) {
      var links = LINK.matcher(Files.readString(page));
      while (links.find()) {
        found++;
        if (!Files.exists(page.resolveSibling(links.group(1)))) {
          broken.add(page + ": " + links.group(1));
        }
      }
    }

    assertThat(pages).hasSizeGreaterThan(20);
    assertThat(found).isGreaterThan(50);
    assertThat(broken).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    var root = Checkout.root();
    var pages = new ArrayList<Path>();
    try (var files = Files.list(root)) {
      files.filter(LinksInPagesTest::isPage).forEach(pages::add);
    }
    for (var folder : List.of("docs", "charts")) {
      try (var files = Files.walk(root.resolve(folder))) {
        files.filter(LinksInPagesTest::isPage).forEach(pages::add);
      }
    }
    return pages;
  }

  private static boolean isPage(Path file) {
    return file.toString().endsWith(".md");
  }
}
