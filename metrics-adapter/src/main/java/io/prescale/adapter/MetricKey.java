package io.prescale.adapter;

/**
 * Names one external metric: the namespace and the metric of {@code
 * …/namespaces/{namespace}/{metric}}.
 *
 * @param namespace the namespace of the client's HPA; not blank
 * @param name the metric, in any case and with any of {@code _-.}; not blank
 */
public record MetricKey(String namespace, String name) {
  public MetricKey {
    if (namespace.isBlank() || name.isBlank()) {
      throw new IllegalArgumentException(
          "a metric needs a namespace and a name, not '%s' and '%s'".formatted(namespace, name));
    }
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
