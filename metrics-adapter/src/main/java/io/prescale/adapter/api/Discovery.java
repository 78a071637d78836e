package io.prescale.adapter.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The API's discovery documents. */
enum Discovery implements ApiObject {
  /** {@code /apis}. */
  GROUPS("v1", "APIGroupList"),
  /** {@code /apis/external.metrics.k8s.io}. */
  GROUP_OF_METRICS("v1", "APIGroup");

  static final String GROUP = "external.metrics.k8s.io";
  static final String VERSION = "v1beta1";
  static final String GROUP_VERSION = GROUP + "/" + VERSION;
  static final String KIND = "ExternalMetricValueList";

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
  public ObjectNode document() {
    var document =
        JsonNodeFactory.instance.objectNode().put("kind", kind).put("apiVersion", apiVersion);
    switch (this) {
      case GROUPS -> fillGroup(document.putArray("groups").addObject());
      case GROUP_OF_METRICS -> fillGroup(document);
    }
    return document;
  }

  private static void fillGroup(ObjectNode group) {
    fillVersion(group.put("name", GROUP).putArray("versions").addObject());
    fillVersion(group.putObject("preferredVersion"));
  }

  private static void fillVersion(ObjectNode version) {
    version.put("groupVersion", GROUP_VERSION).put("version", VERSION);
  }

  /** Field numbers of {@code k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto}. */
  @Override
  public Protobuf protobuf() {
    return switch (this) {
      case GROUPS -> new Protobuf().message(1, groupMessage());
      case GROUP_OF_METRICS -> groupMessage();
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
  static ObjectNode aggregated(String version, MetricResources resources) {
    var document =
        JsonNodeFactory.instance
            .objectNode()
            .put("kind", "APIGroupDiscoveryList")
            .put("apiVersion", "apidiscovery.k8s.io/" + version);
    document.putObject("metadata");
    var group = document.putArray("items").addObject();
    group.putObject("metadata").put("name", GROUP);
    var served = group.putArray("versions").addObject().put("version", VERSION);
    resources.addTo(served.putArray("resources"));
    served.put("freshness", "Current");
    return document;
  }
}
