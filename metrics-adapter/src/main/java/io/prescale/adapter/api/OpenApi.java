package io.prescale.adapter.api;

import java.util.List;

/** The API's schema, for {@code kubectl explain} and for the aggregator that merges schemas. */
final class OpenApi {
  private static final String TYPES = "io.k8s.metrics.pkg.apis.external_metrics.v1beta1.";
  private static final String LIST = TYPES + "ExternalMetricValueList";
  private static final String VALUE = TYPES + "ExternalMetricValue";

  /** The path of the resource that discovery lists, where clients look up the schema. */
  private static final String PATH =
      "/apis/" + Discovery.GROUP_VERSION + "/namespaces/{namespace}/externalmetrics";

  private static final String TITLE = "Prescale external metrics";

  private OpenApi() {}

  /** {@code /openapi/v2}. */
  static Document v2(String version) {
    var operation =
        operation(
                Document.fields()
                    .put("description", "OK")
                    .put("schema", reference("#/definitions/", LIST)))
            .put(
                "produces",
                Document.texts(
                    List.of(
                        "application/json",
                        "application/yaml",
                        "application/vnd.kubernetes.protobuf")))
            .put("schemes", Document.texts(List.of("https")));
    var parameters =
        List.of(
            parameter("namespace", "path", true).put("type", "string").put("uniqueItems", true),
            parameter("labelSelector", "query", false)
                .put("type", "string")
                .put("uniqueItems", true));
    return Document.fields()
        .put("swagger", "2.0")
        .put("info", Document.fields().put("title", TITLE).put("version", version))
        .put("paths", path(operation, parameters))
        .put("definitions", schemas("#/definitions/"))
        .build();
  }

  /** {@code /openapi/v3/apis/external.metrics.k8s.io/v1beta1}. */
  static Document v3(String version) {
    var json = Document.fields().put("schema", reference("#/components/schemas/", LIST));
    var operation =
        operation(
            Document.fields()
                .put("description", "OK")
                .put("content", Document.fields().put("application/json", json)));
    var text = Document.fields().put("type", "string").put("uniqueItems", true).build();
    var parameters =
        List.of(
            parameter("namespace", "path", true).put("schema", text),
            parameter("labelSelector", "query", false).put("schema", text));
    return Document.fields()
        .put("openapi", "3.0.0")
        .put("info", Document.fields().put("title", TITLE).put("version", version))
        .put("paths", path(operation, parameters))
        .put("components", Document.fields().put("schemas", schemas("#/components/schemas/")))
        .build();
  }

  /**
   * {@code /openapi/v3}: the index of schemas.
   *
   * @param hash of {@link #v3}, which changes with the schema, so clients may cache the page
   */
  static Document index(String hash) {
    var path = "apis/" + Discovery.GROUP_VERSION;
    var url = "/openapi/v3/" + path + "?hash=" + hash;
    return Document.fields()
        .put("paths", Document.fields().put(path, Document.fields().put("serverRelativeURL", url)))
        .build();
  }

  private static Document.Builder path(
      Document.Builder operation, List<Document.Builder> parameters) {
    return Document.fields()
        .put(PATH, Document.fields().put("get", operation).put("parameters", parameters));
  }

  private static Document.Builder operation(Document.Builder answer) {
    return Document.fields()
        .put(
            "description",
            "list the values of an external metric, whose name stands for externalmetrics")
        .put("operationId", "listExternalMetricsV1beta1NamespacedMetric")
        .put("tags", Document.texts(List.of("externalMetrics_v1beta1")))
        .put("x-kubernetes-action", "list")
        .put("x-kubernetes-group-version-kind", groupVersionKind())
        .put("responses", Document.fields().put("200", answer));
  }

  private static Document.Builder parameter(String name, String in, boolean required) {
    var parameter = Document.fields().put("name", name).put("in", in);
    return required ? parameter.put("required", true) : parameter;
  }

  private static Document.Builder schemas(String prefix) {
    return Document.fields().put(VALUE, value()).put(LIST, list(prefix));
  }

  private static Document.Builder value() {
    var labels =
        described("object", "Labels that distinguish this value from others of the metric.")
            .put("additionalProperties", Document.fields().put("type", "string"));
    return described("object", "A value of an external metric.")
        .put(
            "required", Document.texts(List.of("metricName", "metricLabels", "timestamp", "value")))
        .put(
            "properties",
            Document.fields()
                .put("metricName", described("string", "The name of the metric."))
                .put("metricLabels", labels)
                .put(
                    "timestamp",
                    described("string", "When the value was computed.").put("format", "date-time"))
                .put(
                    "window",
                    described("integer", "The seconds that the value was measured over.")
                        .put("format", "int64"))
                .put("value", described("string", "The value, as a quantity.")));
  }

  private static Document.Builder list(String prefix) {
    var items =
        described("array", "The values of the metric that the selector selects.")
            .put("items", reference(prefix, VALUE));
    return described("object", "Values of an external metric.")
        .put("required", Document.texts(List.of("items")))
        .put(
            "properties",
            Document.fields()
                .put("apiVersion", described("string", "The version of this object's schema."))
                .put("kind", described("string", "The kind of this object."))
                .put("metadata", described("object", "Empty."))
                .put("items", items))
        .put("x-kubernetes-group-version-kind", List.of(groupVersionKind()));
  }

  private static Document.Builder described(String type, String description) {
    return Document.fields().put("description", description).put("type", type);
  }

  private static Document.Builder reference(String prefix, String type) {
    return Document.fields().put("$ref", prefix + type);
  }

  private static Document.Builder groupVersionKind() {
    return Document.fields()
        .put("group", Discovery.GROUP)
        .put("kind", Discovery.KIND)
        .put("version", Discovery.VERSION);
  }
}
