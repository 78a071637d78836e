package io.prescale.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Relative links of the documentation lead to files that exist, and to headings in them. */
class LinksTest {
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules", ".git");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(#[^)\\s]*)?\\)");
  private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\n]+`");
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *#*$");
  private static final Pattern NAMED = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");
  private static final Pattern LINKED_WORDS = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

  @TempDir private Path folder;

  @Test
  void everyRelativeLinkLeadsToAFileAndToAHeadingOfIt() throws IOException {
    var pages = pages(Checkout.root());

    var broken = new ArrayList<String>();
    for (var page : pages) {
      broken(page).forEach(link -> broken.add(page + ": " + link));
    }

    assertThat(pages).hasSizeGreaterThan(80);
    assertThat(broken).isEmpty();
  }

  @Test
  void everyPageIsInTheListOfTheSite() throws IOException {
    var docs = Checkout.root().resolve("docs");
    var listed = Files.readString(Checkout.root().resolve("docs-site/mkdocs.yml"));

    assertThat(pages(docs))
        .allMatch(page -> listed.contains(docs.relativize(page).toString().replace('\\', '/')));
  }

  @Test
  void findsLinksThatLeadNowhere() throws IOException {
    Files.writeString(
        folder.resolve("other.md"),
        """
        # `risk`: *how* careful (1 %)
        ## Twice
        ## [Twice](page.md)
        <a id="old-name"></a>
        ```
        # no heading
        ```
        """);
    var page =
        Files.writeString(
            folder.resolve("page.md"),
            """
            [good](other.md#risk-how-careful-1-) [good](other.md#twice-1) [good](other.md#old-name)
            [web](https://a.b/c#d) `[code](gone.md)` [self](#part) [folder](../%s)
            [gone](gone.md#part) [changed](other.md#thrice) [code](other.md#no-heading) [self](#gone)
            ## Part
            """
                .formatted(folder.getFileName()));

    assertThat(broken(page))
        .containsExactly("gone.md#part", "other.md#thrice", "other.md#no-heading", "#gone");
  }

  private static List<Path> pages(Path root) throws IOException {
    var pages = new ArrayList<Path>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_OURS.contains(String.valueOf(folder.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              pages.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return pages;
  }

  private static List<String> broken(Path page) throws IOException {
    var words = CODE.matcher(Files.readString(page)).replaceAll("");
    var broken = new ArrayList<String>();
    for (var link : LINK.matcher(words).results().toList()) {
      if (!link.group(1).contains(":") && !leadsSomewhere(page, link)) {
        broken.add(link.group(1) + Objects.requireNonNullElse(link.group(2), ""));
      }
    }
    return broken;
  }

  private static boolean leadsSomewhere(Path page, MatchResult link) throws IOException {
    var target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
    var anchor = link.group(2);
    if (anchor == null || !target.toString().endsWith(".md")) {
      return Files.exists(target);
    }
    return Files.exists(target) && anchors(Files.readString(target)).contains(anchor.substring(1));
  }

  /** The anchors that GitHub gives headings: small letters, digits, hyphens for spaces. */
  private static Set<String> anchors(String markdown) {
    var text = FENCED.matcher(markdown).replaceAll("");
    var seen = new HashMap<String, Integer>();
    return Stream.concat(
            HEADING.matcher(text).results().map(it -> numbered(slug(it.group(1)), seen)),
            NAMED.matcher(text).results().map(it -> it.group(1)))
        .collect(HashSet::new, Set::add, Set::addAll);
  }

  private static String slug(String heading) {
    return LINKED_WORDS
        .matcher(heading)
        .replaceAll("$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}\\s_-]", "")
        .replace(' ', '-');
  }

  private static String numbered(String slug, Map<String, Integer> seen) {
    int before = seen.merge(slug, 1, Integer::sum) - 1;
    return before == 0 ? slug : slug + "-" + before;
  }
}
