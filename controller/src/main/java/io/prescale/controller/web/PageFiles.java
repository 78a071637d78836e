package io.prescale.controller.web;

import java.util.Map;

/** Where Micronaut finds the page's files: its own, and the library that reports use too. */
public final class PageFiles {
  private static final String RESOURCES = "micronaut.router.static-resources.";

  private PageFiles() {}

  /** Properties of a context that serves the page. */
  public static Map<String, Object> properties() {
    return Map.of(
        RESOURCES + "page.paths", "classpath:web",
        RESOURCES + "page.mapping", "/**",
        RESOURCES + "vendor.paths", "classpath:io/prescale/controller/simulation/report/vendor",
        RESOURCES + "vendor.mapping", "/vendor/**");
  }
}
