package violating.controller.simulation.replay;

import com.fasterxml.jackson.databind.JsonNode;

record WritesJson(JsonNode json) {}
