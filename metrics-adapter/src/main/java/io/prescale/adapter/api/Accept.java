package io.prescale.adapter.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The media types that a client accepts (RFC 9110 §12.5.1), best first.
 *
 * @param ranges by falling quality, the more specific first
 */
record Accept(List<Range> ranges) {
  /** The format of OpenAPI v2 beside JSON, and its deprecated name, which clients still send. */
  static final String SCHEMA_PROTOBUF =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  private static final String SCHEMA_PROTOBUF_DEPRECATED =
      "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

  /** The formats of the API. */
  enum Format {
    JSON("application/json"),
    YAML("application/yaml"),
    PROTOBUF("application/vnd.kubernetes.protobuf");

    private final String mediaType;

    Format(String mediaType) {
      this.mediaType = mediaType;
    }

    String mediaType() {
      return mediaType;
    }
  }

  /**
   * One media range with its parameters.
   *
   * @param quality from 0, not accepted, to 1
   */
  record Range(String mediaType, Map<String, String> parameters, double quality) {
    private boolean covers(Format format) {
      return mediaType.equals(format.mediaType())
          || mediaType.equals("*/*")
          || mediaType.equals("application/*");
    }

    private boolean isSchemaProtobuf() {
      return mediaType.equals(SCHEMA_PROTOBUF) || mediaType.equals(SCHEMA_PROTOBUF_DEPRECATED);
    }

    /** Whether it asks for another kind of object than the path's own, such as a table. */
    private boolean asksForAnotherKind() {
      return parameters.containsKey("as");
    }

    private int specificity() {
      return mediaType.equals("*/*") ? 0 : mediaType.endsWith("/*") ? 1 : 2;
    }

    /** The version of aggregated discovery that it asks for. */
    private Optional<String> discoveryVersion() {
      var version = parameters.getOrDefault("v", "");
      return mediaType.equals(Format.JSON.mediaType())
              && parameters.getOrDefault("g", "").equals("apidiscovery.k8s.io")
              && parameters.getOrDefault("as", "").equals("APIGroupDiscoveryList")
              && (version.equals("v2") || version.equals("v2beta1"))
          ? Optional.of(version)
          : Optional.empty();
    }
  }

  Accept {
    ranges = List.copyOf(ranges);
  }

  /** Parses a header, ignoring malformed ranges; without a header, everything is accepted. */
  static Accept parse(List<String> headers) {
    var ranges = new ArrayList<Range>();
    for (var clause : String.join(",", headers).split(",", -1)) {
      range(clause).ifPresent(ranges::add);
    }
    if (ranges.isEmpty() && String.join("", headers).isBlank()) {
      ranges.add(new Range("*/*", Map.of(), 1));
    }
    ranges.sort(
        Comparator.comparingDouble(Range::quality)
            .reversed()
            .thenComparing(Comparator.comparingInt(Range::specificity).reversed()));
    return new Accept(ranges);
  }

  private static Optional<Range> range(String clause) {
    var parts = clause.split(";", -1);
    var mediaType = parts[0].strip().toLowerCase(Locale.ROOT);
    if (mediaType.indexOf('/') <= 0) {
      return Optional.empty();
    }
    var parameters = new TreeMap<String, String>();
    for (int i = 1; i < parts.length; i++) {
      var pair = parts[i].split("=", 2);
      parameters.put(
          pair[0].strip().toLowerCase(Locale.ROOT), pair.length > 1 ? pair[1].strip() : "");
    }
    return Optional.of(new Range(mediaType, parameters, quality(parameters.get("q"))));
  }

  /** A malformed quality counts as 1, like an absent one. */
  private static double quality(@Nullable String text) {
    if (text == null || !text.matches("[01](\\.[0-9]{0,3})?")) {
      return 1;
    }
    return Math.min(1, Double.parseDouble(text));
  }

  /** The best format for the path's own object, if there is one. */
  Optional<Format> format() {
    return ranges.stream()
        .filter(range -> range.quality() > 0 && !range.asksForAnotherKind())
        .flatMap(range -> formats().filter(range::covers).filter(format -> !isRefused(format)))
        .findFirst();
  }

  /** The version of aggregated discovery, if the client prefers that to every format. */
  Optional<String> discoveryVersion() {
    return ranges.stream()
        .filter(range -> range.quality() > 0)
        .filter(range -> range.discoveryVersion().isPresent() || isPlain(range))
        .findFirst()
        .flatMap(Range::discoveryVersion);
  }

  /** Whether the client accepts JSON where no other format exists. */
  boolean takesJson() {
    return ranges.stream()
        .anyMatch(
            range -> range.quality() > 0 && range.covers(Format.JSON) && !isRefused(Format.JSON));
  }

  /** Whether the client prefers a schema of OpenAPI v2 as protocol buffers to JSON. */
  boolean prefersSchemaProtobuf() {
    return ranges.stream()
        .filter(range -> range.quality() > 0)
        .filter(range -> range.isSchemaProtobuf() || range.covers(Format.JSON))
        .findFirst()
        .filter(Range::isSchemaProtobuf)
        .isPresent();
  }

  private static boolean isPlain(Range range) {
    return !range.asksForAnotherKind() && formats().anyMatch(range::covers);
  }

  private boolean isRefused(Format format) {
    return ranges.stream()
        .anyMatch(range -> range.quality() == 0 && range.mediaType().equals(format.mediaType()));
  }

  private static Stream<Format> formats() {
    return Stream.of(Format.values());
  }
}
