package violating.adapter.api;

import io.micronaut.http.HttpRequest;

record SeesRequests(HttpRequest<?> request) {}
