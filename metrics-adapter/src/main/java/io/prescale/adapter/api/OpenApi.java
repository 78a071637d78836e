package io.prescale.adapter.api;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The API's schema, for {@code kubectl explain} and for the aggregator that merges schemas. */
final class OpenApi {
  private static final ObjectMapper JSON = new ObjectMapper();

  private OpenApi() {}

  /** {@code /openapi/v2}. */
  static JsonNode v2(String version) {
    return schema("openapi-v2.json", version);
  }

  /** {@code /openapi/v3/apis/external.metrics.k8s.io/v1beta1}. */
  static JsonNode v3(String version) {
    return schema("openapi-v3.json", version);
  }

  /**
   * {@code /openapi/v3}: the index of schemas.
   *
   * @param hash of {@link #v3}, which changes with the schema, so clients may cache the page
   */
  static JsonNode index(String hash) {
    var path = "apis/" + Discovery.GROUP_VERSION;
    var index = JsonNodeFactory.instance.objectNode();
    index
        .putObject("paths")
        .putObject(path)
        .put("serverRelativeURL", "/openapi/v3/" + path + "?hash=" + hash);
    return index;
  }

  private static JsonNode schema(String resource, String version) {
    try (var text = requireNonNull(OpenApi.class.getResourceAsStream(resource), resource)) {
      var schema = JSON.readTree(text);
      schema.withObject("/info").put("version", version);
      return schema;
    } catch (IOException e) {
      throw new UncheckedIOException("the program's own " + resource, e);
    }
  }
}
