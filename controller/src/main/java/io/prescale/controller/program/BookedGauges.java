package io.prescale.controller.program;

import static java.util.stream.Collectors.toMap;

import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.plan.live.Booked;
import io.prescale.controller.telemetry.Target;
import io.prescale.controller.telemetry.Telemetry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows in metrics what was booked, and for what an autoscaler was asked. */
record BookedGauges(Telemetry telemetry) implements Consumer<List<Booked>> {
  @Override
  public void accept(List<Booked> all) {
    telemetry.booked(replicas(all, BookingStatus::replicas));
    telemetry.buffered(replicas(all, BookingStatus::buffer));
  }

  private static Map<Target, Integer> replicas(
      List<Booked> all, Function<BookingStatus, @Nullable Integer> number) {
    return all.stream()
        .collect(
            toMap(
                it -> new Target(it.namespace(), it.name()),
                it -> Objects.requireNonNullElse(number.apply(it.status()), 0)));
  }
}
