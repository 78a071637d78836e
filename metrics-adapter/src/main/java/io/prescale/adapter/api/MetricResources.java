package io.prescale.adapter.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;

/** {@code /apis/external.metrics.k8s.io/v1beta1}, of this adapter and of the one behind it. */
record MetricResources(List<String> names) implements ApiObject {
  /** Represents every metric: clients refuse an empty list, and rarely refresh it. */
  private static final String ANY = "externalmetrics";

  MetricResources {
    names = List.copyOf(names);
  }

  static MetricResources with(List<String> others) {
    return new MetricResources(Stream.concat(Stream.of(ANY), others.stream()).distinct().toList());
  }

  @Override
  public String apiVersion() {
    return "v1";
  }

  @Override
  public String kind() {
    return "APIResourceList";
  }

  @Override
  public ObjectNode document() {
    var document =
        JsonNodeFactory.instance.objectNode().put("kind", kind()).put("apiVersion", apiVersion());
    var resources = document.put("groupVersion", Discovery.GROUP_VERSION).putArray("resources");
    for (var name : names) {
      resources
          .addObject()
          .put("name", name)
          .put("singularName", "")
          .put("namespaced", true)
          .put("kind", Discovery.KIND)
          .putArray("verbs")
          .add("get");
    }
    return document;
  }

  /** Field numbers of {@code k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto}. */
  @Override
  public Protobuf protobuf() {
    var list = new Protobuf().text(1, Discovery.GROUP_VERSION);
    for (var name : names) {
      list.message(
          2,
          new Protobuf()
              .text(1, name)
              .number(2, 1)
              .text(3, Discovery.KIND)
              .message(4, new Protobuf().text(1, "get"))
              .text(6, ""));
    }
    return list;
  }

  /** The resources as aggregated discovery has them. */
  void addTo(ArrayNode resources) {
    for (var name : names) {
      var resource = resources.addObject().put("resource", name);
      resource
          .putObject("responseKind")
          .put("group", Discovery.GROUP)
          .put("version", Discovery.VERSION)
          .put("kind", Discovery.KIND);
      resource.put("scope", "Namespaced").put("singularResource", "").putArray("verbs").add("get");
    }
  }
}
