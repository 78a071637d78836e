package io.prescale.controller.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The page's files, read once from the program. A closed list: no path leads anywhere else. */
final class StaticFiles {
  private static final String HTML = "text/html; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String SVG = "image/svg+xml";
  private static final String VENDOR = "/io/prescale/controller/simulation/report/vendor/";

  private final Map<String, WebResponse> byPath = new LinkedHashMap<>();

  StaticFiles() {
    add("/", "/web/index.html", HTML);
    add("/page.css", "/web/page.css", CSS);
    add("/icon.svg", "/web/icon.svg", SVG);
    for (String script :
        new String[] {
          "main",
          "api",
          "words",
          "dom",
          "chart",
          "workloads",
          "why",
          "gpus",
          "replay",
          "actions",
          "sign-in"
        }) {
      add("/script/" + script + ".js", "/web/script/" + script + ".js", SCRIPT);
    }
    add("/vendor/uPlot.js", VENDOR + "uPlot.iife.min.js", SCRIPT);
    add("/vendor/uPlot.css", VENDOR + "uPlot.min.css", CSS);
  }

  private void add(String path, String resource, String contentType) {
    byPath.put(path, WebResponse.of(200, contentType, read(resource)));
  }

  private static String read(String resource) {
    try (InputStream in = StaticFiles.class.getResourceAsStream(resource)) {
      return new String(
          Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Optional<WebResponse> find(String path) {
    return Optional.ofNullable(byPath.get(path));
  }
}
