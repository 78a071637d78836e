package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** The trusted CA and the client certificate for https. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "has(self.certificate) == has(self.key)",
    message = "tls has only one of certificate and key; write both or neither")
public record TlsSpec(
    @JsonPropertyDescription("Secret with CA certificates to trust instead of the system's (PEM).")
        @Nullable SecretKeyRef ca,
    @JsonPropertyDescription("Secret with the client certificate and its chain (PEM).")
        @Nullable SecretKeyRef certificate,
    @JsonPropertyDescription("Secret with the client certificate's private key (PEM, PKCS #8).")
        @Nullable SecretKeyRef key) {}
