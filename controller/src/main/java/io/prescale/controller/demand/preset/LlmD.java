package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import java.util.List;
import java.util.Optional;

/** The router of llm-d, whose endpoint picker holds requests while nothing runs. */
final class LlmD {
  private LlmD() {}

  static Preset preset() {
    return new Preset(
        PresetName.LLM_D,
        "llm-d router (endpoint picker of 0.9 and 0.10, port 9090, with the feature gate"
            + " flowControl)",
        "the label model_name",
        new PresetQuery(
            "requests that the router holds, and those that it has passed on and that are not"
                + " answered",
            "requests",
            LlmD::present,
            Optional.empty()),
        Optional.empty(),
        Optional.empty(),
        List.of(
            "Without the feature gate flowControl the router holds nothing: requests that find no"
                + " pod are refused with 503, and the query does not count them.",
            "A held request is refused after noEndpointRequestTTL, 60 s by default: write more than"
                + " a cold start takes.",
            "A request is in the queue until it is passed on and is running after it, so that the"
                + " sum counts it once.",
            "Routers before the prefix llm_d_epp (inference_extension_flow_control_queue_size,"
                + " inference_objective_running_requests) need a query of your own.",
            "After a start of the router there are no series until the first request: the demand is"
                + " then unknown, not 0, and a replica is kept."));
  }

  private static String present(PresetScope scope) {
    return "sum(%s)"
        .formatted(
            Series.labelled("model_name", scope)
                .named("llm_d_epp_(flow_control_queue_size|request_running)"));
  }
}
