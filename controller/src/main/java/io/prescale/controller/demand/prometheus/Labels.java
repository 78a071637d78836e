package io.prescale.controller.demand.prometheus;

import io.prescale.controller.input.Excerpt;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The name and labels of a series. */
public record Labels(Map<String, String> values) {
  private static final String NAME = "__name__";
  private static final int LONGEST_VALUE = 40;
  private static final int LONGEST_TEXT = 160;
  private static final int SHOWN_SERIES = 3;

  public Labels {
    values = Map.copyOf(values);
  }

  /** In PromQL syntax, safe for a terminal: {@code load{pod="a"}}. */
  @Override
  public String toString() {
    var labels =
        new TreeMap<>(values)
            .entrySet().stream()
                .filter(label -> !label.getKey().equals(NAME))
                .map(label -> label.getKey() + "=\"" + shortened(label.getValue()) + '"')
                .collect(Collectors.joining(", ", "{", "}"));
    return Excerpt.of(values.getOrDefault(NAME, "") + labels, LONGEST_TEXT);
  }

  /** The first few of several series, for a message. */
  public static String some(Collection<Labels> series) {
    return series.stream()
        .limit(SHOWN_SERIES)
        .map(Labels::toString)
        .collect(Collectors.joining(", ", "", series.size() > SHOWN_SERIES ? ", …" : ""));
  }

  private static String shortened(String value) {
    return Excerpt.of(value, LONGEST_VALUE);
  }
}
