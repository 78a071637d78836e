package violating.controller.replay;

import com.fasterxml.jackson.databind.JsonNode;

record WritesJson(JsonNode json) {}
