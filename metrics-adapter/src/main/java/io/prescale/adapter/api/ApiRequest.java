package io.prescale.adapter.api;

import io.prescale.adapter.identity.CallerCredentials;

/**
 * An HTTP request to the API.
 *
 * @param method in upper case
 * @param rawPath percent-encoded
 * @param rawQuery percent-encoded, without the question mark; empty if there is none
 */
public record ApiRequest(
    String method, String rawPath, String rawQuery, CallerCredentials credentials) {}
