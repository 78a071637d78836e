package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** KEDA's HTTP add-on, whose interceptor holds requests while nothing runs. */
final class HttpAddOn {
  private HttpAddOn() {}

  static Preset preset() {
    return new Preset(
        PresetName.HTTP_ADD_ON,
        "KEDA HTTP add-on 0.14 to 1.0 (interceptor, port 2223, on by default)",
        "the InterceptorRoute or HTTPScaledObject with this name, in the namespace of the workload",
        new PresetQuery(
            "requests at the interceptor: those that it holds, and those that it has passed on and"
                + " that are not answered",
            "requests",
            HttpAddOn::present,
            Optional.empty()),
        Optional.empty(),
        Optional.empty(),
        List.of(
            "Requests that go to the Service directly are not counted.",
            "Without a route's name, the query sums all routes of the namespace.",
            "The series have the namespace of the interceptor: where an administrator lets queries"
                + " find only series of their own namespace, there are none.",
            "Before 0.14 the metric is interceptor_pending_request_count, by host: write a query of"
                + " your own.",
            "Since 0.14 a held request waits for as long as its client does; a readiness timeout"
                + " that is shorter than a cold start refuses it.",
            "After a start of the interceptors there is no series of a route until its first"
                + " request: the demand is then unknown, not 0, and a replica is kept."));
  }

  private static String present(PresetScope scope) {
    var matchers = new ArrayList<String>();
    scope.model().ifPresent(it -> matchers.add("route_name=" + Series.quoted(it)));
    scope.namespace().ifPresent(it -> matchers.add("route_namespace=" + Series.quoted(it)));
    return "sum(%s)".formatted(new Series(matchers).of("interceptor_request_concurrency"));
  }
}
