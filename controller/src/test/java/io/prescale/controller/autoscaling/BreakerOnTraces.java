package io.prescale.controller.autoscaling;

import io.prescale.controller.Checkout;
import io.prescale.controller.simulation.replay.SharedFolder;
import java.util.Arrays;
import java.util.List;

/**
 * Prints how often the breaker opens on good forecasts of the production traces beside the
 * repository, and how soon on broken ones: the figures of docs/benchmarks.md. After {@code ./mvnw
 * -q -DskipTests package}:
 *
 * <pre>
 * java -cp "controller/target/test-classes:controller/target/classes:controller/target/lib/*" \
 *   io.prescale.controller.autoscaling.BreakerOnTraces</pre>
 */
final class BreakerOnTraces {
  private static final List<String> TRACES = List.of("00", "02", "04", "05", "09", "11", "12");

  private BreakerOnTraces() {}

  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    for (String name : TRACES) {
      var trace = Checkout.shared().resolve("traces/cluster-%s.csv".formatted(name));
      var run = BreakerRun.on(SharedFolder.read(trace));
      System.out.printf("%s open %.2f %%", name, 100 * run.shareOpen());
      for (double factor : BreakerRun.FACTORS) {
        System.out.printf(
            " | x%s: median %d, all %s",
            factor, run.median(factor), Arrays.toString(run.openedAfter(factor)));
      }
      System.out.println();
    }
  }
}
