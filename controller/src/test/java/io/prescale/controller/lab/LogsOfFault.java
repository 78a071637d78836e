package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What replicas log from a moment on.
 *
 * @param before how many lines each had logged by then
 */
record LogsOfFault(Map<Replica, Integer> before) {
  /** From now on. */
  static LogsOfFault from(Replica... replicas) throws IOException {
    var before = new LinkedHashMap<Replica, Integer>();
    for (var replica : replicas) {
      before.put(replica, replica.lines().size());
    }
    return new LogsOfFault(before);
  }

  /** A line when a fault begins, changes and ends, and no stack trace of an attempt. */
  void requireFewLines() throws IOException {
    for (var replica : before.keySet()) {
      assertThat(replica.lines().stream().skip(before.getOrDefault(replica, 0)))
          .as("%s", replica.log())
          .isNotEmpty()
          .hasSizeLessThan(20)
          .noneMatch(line -> line.startsWith("\tat "));
    }
  }
}
