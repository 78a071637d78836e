package violating.placement.inventory;

import com.fasterxml.jackson.databind.JsonNode;

record InnocentReader(JsonNode json) {}
