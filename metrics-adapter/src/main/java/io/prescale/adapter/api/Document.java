package io.prescale.adapter.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** A tree of values that can be written as JSON or YAML. */
sealed interface Document {
  /** Values by name, in JSON's order; YAML sorts them. */
  record Fields(SequencedMap<String, Document> values) implements Document {
    public Fields {
      values = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(values));
    }
  }

  record Items(List<Document> values) implements Document {
    public Items {
      values = List.copyOf(values);
    }
  }

  record Text(String value) implements Document {}

  record Whole(long value) implements Document {}

  record Truth(boolean value) implements Document {}

  /** Collects fields in order. */
  static Builder fields() {
    return new Builder();
  }

  static Items texts(Collection<String> values) {
    return new Items(values.stream().<Document>map(Text::new).toList());
  }

  static Fields texts(Map<String, String> values) {
    var fields = fields();
    values.forEach(fields::put);
    return fields.build();
  }

  /** Builds {@link Fields} in order. */
  final class Builder {
    private final SequencedMap<String, Document> values = new LinkedHashMap<>();

    Builder put(String name, Document value) {
      values.put(name, value);
      return this;
    }

    Builder put(String name, String value) {
      return put(name, new Text(value));
    }

    Builder put(String name, long value) {
      return put(name, new Whole(value));
    }

    Builder put(String name, boolean value) {
      return put(name, new Truth(value));
    }

    Builder put(String name, Builder value) {
      return put(name, value.build());
    }

    Builder put(String name, List<Builder> items) {
      var built = new ArrayList<Document>();
      items.forEach(item -> built.add(item.build()));
      return put(name, new Items(built));
    }

    Fields build() {
      return new Fields(values);
    }
  }
}
