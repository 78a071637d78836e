package io.prescale.adapter.keda;

import io.prescale.adapter.api.Protobuf;
import io.prescale.adapter.keda.WireReader.MalformedException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The messages of {@code externalscaler.proto} of KEDA 2.21, by the numbers of their fields. */
final class Messages {
  private Messages() {}

  /** A {@code GetMetricsRequest}. */
  record MetricRequest(ScaledObjectRef ref, String metric) {}

  /** Reads a {@code ScaledObjectRef}; a field that is not there is empty. */
  static ScaledObjectRef ref(byte[] message) throws MalformedException {
    return ref(new WireReader(message));
  }

  private static ScaledObjectRef ref(WireReader in) throws MalformedException {
    var name = "";
    var namespace = "";
    var metadata = new HashMap<String, String>();
    for (int field = in.next(); field != 0; field = in.next()) {
      switch (field) {
        case 1 -> name = in.text();
        case 2 -> namespace = in.text();
        case 3 -> readEntry(in.message(), metadata);
        default -> in.skip();
      }
    }
    return new ScaledObjectRef(name, namespace, metadata);
  }

  private static void readEntry(WireReader in, Map<String, String> into) throws MalformedException {
    var key = "";
    var value = "";
    for (int field = in.next(); field != 0; field = in.next()) {
      switch (field) {
        case 1 -> key = in.text();
        case 2 -> value = in.text();
        default -> in.skip();
      }
    }
    into.put(key, value);
  }

  static MetricRequest metricRequest(byte[] message) throws MalformedException {
    var in = new WireReader(message);
    var ref = new WireReader(new byte[0]);
    var metric = "";
    for (int field = in.next(); field != 0; field = in.next()) {
      switch (field) {
        case 1 -> ref = in.message();
        case 2 -> metric = in.text();
        default -> in.skip();
      }
    }
    return new MetricRequest(ref(ref), metric);
  }

  /** An {@code IsActiveResponse}. */
  static byte[] active(boolean result) {
    return result ? new Protobuf().number(1, 1).toByteArray() : new byte[0];
  }

  /** A {@code GetMetricSpecResponse}. */
  static byte[] specs(List<DeclaredMetric> metrics) {
    var out = new Protobuf();
    metrics.forEach(
        it ->
            out.message(
                1,
                amount(it.name(), Math.max(1, Math.floor(it.averageValue())), it.averageValue())));
    return out.toByteArray();
  }

  /** A {@code GetMetricsResponse} with one value. */
  static byte[] value(String metric, double value) {
    return new Protobuf().message(1, amount(metric, Math.ceil(value), value)).toByteArray();
  }

  /**
   * A {@code MetricSpec} or a {@code MetricValue}. KEDA up to 2.16 reads the whole number, which is
   * rounded so that it asks for no fewer replicas: a value up, a target down, but to 1 at least;
   * later ones read the other.
   */
  private static Protobuf amount(String metric, double whole, double amount) {
    return new Protobuf().text(1, metric).number(2, (long) whole).floating(3, amount);
  }
}
