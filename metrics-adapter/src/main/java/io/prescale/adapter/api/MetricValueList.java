package io.prescale.adapter.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.adapter.Answer;
import io.prescale.adapter.Quantity;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** An {@code ExternalMetricValueList} of {@code external.metrics.k8s.io/v1beta1}. */
record MetricValueList(String metric, List<Answer.Item> items) implements ApiObject {
  @Override
  public String apiVersion() {
    return Discovery.GROUP_VERSION;
  }

  @Override
  public String kind() {
    return Discovery.KIND;
  }

  @Override
  public ObjectNode document() {
    var list =
        JsonNodeFactory.instance.objectNode().put("kind", kind()).put("apiVersion", apiVersion());
    list.putObject("metadata");
    var values = list.putArray("items");
    items.forEach(item -> fill(values.addObject(), item));
    return list;
  }

  private void fill(ObjectNode value, Answer.Item item) {
    value.put("metricName", metric);
    var labels = value.putObject("metricLabels");
    item.labels().forEach(labels::put);
    value.put(
        "timestamp",
        DateTimeFormatter.ISO_INSTANT.format(item.timestamp().truncatedTo(ChronoUnit.SECONDS)));
    if (item.windowSeconds() > 0) {
      value.put("window", item.windowSeconds());
    }
    value.put("value", Quantity.ofMilli(item.milliValue()));
  }

  /** Field numbers of {@code k8s.io/metrics/pkg/apis/external_metrics/v1beta1/generated.proto}. */
  @Override
  public Protobuf protobuf() {
    var list = new Protobuf().message(1, Failure.emptyListMeta());
    for (var item : items) {
      var value = new Protobuf().text(1, metric);
      item.labels()
          .forEach((name, label) -> value.message(2, new Protobuf().text(1, name).text(2, label)));
      value.message(3, new Protobuf().number(1, item.timestamp().getEpochSecond()).number(2, 0));
      if (item.windowSeconds() > 0) {
        value.number(4, item.windowSeconds());
      }
      value.message(5, new Protobuf().text(1, Quantity.ofMilli(item.milliValue())));
      list.message(2, value);
    }
    return list;
  }
}
