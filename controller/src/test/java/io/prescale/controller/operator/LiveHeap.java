package io.prescale.controller.operator;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What is reachable after a full collection of garbage, by the JVM's own count.
 *
 * @param instances by the name of their class
 * @param bytes of all together
 */
record LiveHeap(Map<String, Long> instances, long bytes) {
  static LiveHeap now() throws JMException {
    var histogram =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
    var instances = new HashMap<String, Long>();
    long bytes = 0;
    for (var line : String.valueOf(histogram).lines().toList()) {
      var words = line.strip().split("\\s+", -1);
      if (words.length >= 4 && words[0].endsWith(":")) { // number, instances, bytes, class
        instances.put(words[3], Long.valueOf(words[1]));
        bytes += Long.parseLong(words[2]);
      }
    }
    return new LiveHeap(instances, bytes);
  }

  long instances(Class<?> type) {
    return instances.getOrDefault(type.getName(), 0L);
  }
}
