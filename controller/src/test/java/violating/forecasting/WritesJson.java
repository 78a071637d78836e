package violating.forecasting;

import com.fasterxml.jackson.databind.JsonNode;

public record WritesJson(JsonNode json) {}
