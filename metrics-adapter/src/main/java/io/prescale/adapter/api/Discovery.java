package io.prescale.adapter.api;

import java.util.List;

/** The API's discovery documents. */
enum Discovery implements ApiObject {
  /** {@code /apis}. */
  GROUPS("v1", "APIGroupList"),
  /** {@code /apis/external.metrics.k8s.io}. */
  GROUP_OF_METRICS("v1", "APIGroup"),
  /** {@code /apis/external.metrics.k8s.io/v1beta1}. */
  RESOURCES("v1", "APIResourceList");

  static final String GROUP = "external.metrics.k8s.io";
  static final String VERSION = "v1beta1";
  static final String GROUP_VERSION = GROUP + "/" + VERSION;
  static final String KIND = "ExternalMetricValueList";

  /** Represents every metric: clients refuse an empty list, and rarely refresh it. */
  private static final String RESOURCE = "externalmetrics";

  private final String apiVersion;
  private final String kind;

  Discovery(String apiVersion, String kind) {
    this.apiVersion = apiVersion;
    this.kind = kind;
  }

  @Override
  public String apiVersion() {
    return apiVersion;
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public Document document() {
    var document = Document.fields().put("kind", kind).put("apiVersion", apiVersion);
    return switch (this) {
      case GROUPS -> document.put("groups", List.of(group(Document.fields()))).build();
      case GROUP_OF_METRICS -> group(document).build();
      case RESOURCES ->
          document
              .put("groupVersion", GROUP_VERSION)
              .put(
                  "resources",
                  List.of(
                      Document.fields()
                          .put("name", RESOURCE)
                          .put("singularName", "")
                          .put("namespaced", true)
                          .put("kind", KIND)
                          .put("verbs", Document.texts(List.of("get")))))
              .build();
    };
  }

  private static Document.Builder group(Document.Builder fields) {
    var version =
        Document.fields().put("groupVersion", GROUP_VERSION).put("version", VERSION).build();
    return fields
        .put("name", GROUP)
        .put("versions", new Document.Items(List.of(version)))
        .put("preferredVersion", version);
  }

  /** Field numbers of {@code k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto}. */
  @Override
  public Protobuf protobuf() {
    return switch (this) {
      case GROUPS -> new Protobuf().message(1, groupMessage());
      case GROUP_OF_METRICS -> groupMessage();
      case RESOURCES ->
          new Protobuf()
              .text(1, GROUP_VERSION)
              .message(
                  2,
                  new Protobuf()
                      .text(1, RESOURCE)
                      .number(2, 1)
                      .text(3, KIND)
                      .message(4, new Protobuf().text(1, "get"))
                      .text(6, ""));
    };
  }

  private static Protobuf groupMessage() {
    var version = new Protobuf().text(1, GROUP_VERSION).text(2, VERSION);
    return new Protobuf().text(1, GROUP).message(2, version).message(3, version);
  }

  /**
   * All discovery in one document, as the aggregator requests it.
   *
   * @param version {@code v2} or {@code v2beta1} of {@code apidiscovery.k8s.io}
   */
  static Document aggregated(String version) {
    var responseKind =
        Document.fields().put("group", GROUP).put("version", VERSION).put("kind", KIND);
    var resource =
        Document.fields()
            .put("resource", RESOURCE)
            .put("responseKind", responseKind)
            .put("scope", "Namespaced")
            .put("singularResource", "")
            .put("verbs", Document.texts(List.of("get")));
    return Document.fields()
        .put("kind", "APIGroupDiscoveryList")
        .put("apiVersion", "apidiscovery.k8s.io/" + version)
        .put("metadata", Document.fields())
        .put(
            "items",
            List.of(
                Document.fields()
                    .put("metadata", Document.fields().put("name", GROUP))
                    .put(
                        "versions",
                        List.of(
                            Document.fields()
                                .put("version", VERSION)
                                .put("resources", List.of(resource))
                                .put("freshness", "Current")))))
        .build();
  }
}
