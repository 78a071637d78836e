package io.prescale.controller.operator.scalein;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Reason;
import io.prescale.controller.demand.prometheus.Labels;
import io.prescale.controller.demand.prometheus.RangeAnswer.Latest;
import io.prescale.controller.demand.source.MetricSource.LatestReading.Found;
import io.prescale.controller.demand.source.MetricSource.LatestReading.NotFound;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkTest {
  @Test
  void theSeriesOfAPodAreAddedUp() {
    assertThat(Work.of(new Found(List.of(of("a", 2), of("b", 0), of("a", 3)))))
        .isEqualTo(new Work.Known(Map.of("a", 5.0, "b", 0.0)));
  }

  @Test
  void whatIsNoAmountMakesItsPodUnknown() {
    var series =
        List.of(
            of("a", 1),
            of("a", Double.NaN),
            of("b", -1),
            of("c", Double.POSITIVE_INFINITY),
            of("", 9),
            new Latest(new Labels(Map.of("instance", "a:8000")), 9),
            of("d", 4));

    assertThat(Work.of(new Found(series))).isEqualTo(new Work.Known(Map.of("d", 4.0)));
  }

  @Test
  void saysWhyNothingIsKnown() {
    assertThat(Work.of(new Found(List.of())))
        .isEqualTo(
            new Work.Unknown(
                "The query for the work of each pod finds nothing; look at it in Prometheus' own"
                    + " graph."));
    assertThat(Work.of(new Found(List.of(new Latest(new Labels(Map.of()), 3)))))
        .isInstanceOfSatisfying(
            Work.Unknown.class, it -> assertThat(it.why()).contains("the label pod"));
    assertThat(Work.of(new NotFound(new Missing(Reason.TIMEOUT, "No answer within 10 s."))))
        .isEqualTo(new Work.Unknown("No answer within 10 s."));
  }

  private static Latest of(String pod, double value) {
    return new Latest(new Labels(Map.of("pod", pod)), value);
  }
}
