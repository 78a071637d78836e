package io.prescale.controller.lab;

import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The objects that README and documentation write out in YAML. */
final class DocumentedManifests {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```yaml\n(.*?)^ *```");

  private DocumentedManifests() {}

  /** Those of an API group, as if for the namespace default. */
  static List<String> of(String group) throws IOException {
    var root = Checkout.root();
    var manifests = new ArrayList<String>();
    try (var pages = Files.walk(root.resolve("docs"), 1)) {
      for (var page : Stream.concat(Stream.of(root.resolve("README.md")), pages).toList()) {
        if (page.toString().endsWith(".md")) {
          blocks(Files.readString(page))
              .filter(block -> block.startsWith("apiVersion: " + group + "/"))
              .map(block -> block.replaceAll("namespace: [a-z-]+", "namespace: default"))
              .forEach(manifests::add);
        }
      }
    }
    return manifests;
  }

  /** The block of the page on GitOps that starts with a comment. */
  static String starting(String comment) throws IOException {
    return blocks(Files.readString(Checkout.root().resolve("docs/gitops.md")))
        .filter(block -> block.startsWith(comment))
        .findFirst()
        .orElseThrow();
  }

  private static Stream<String> blocks(String page) {
    return BLOCK
        .matcher(page)
        .results()
        .map(block -> block.group(2).replaceAll("(?m)^" + block.group(1), ""));
  }
}
