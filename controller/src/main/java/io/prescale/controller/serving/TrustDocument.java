package io.prescale.controller.serving;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.adapter.identity.TrustSettings;
import io.prescale.controller.certificates.Pem;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads the data of {@code kube-system/extension-apiserver-authentication}. */
final class TrustDocument {
  private static final ObjectMapper JSON = new ObjectMapper();

  private TrustDocument() {}

  /** The cluster's authentication settings are malformed; the message names the key. */
  static final class UnusableTrustException extends Exception {
    private static final long serialVersionUID = 1;

    private UnusableTrustException(String message) {
      super(message);
    }
  }

  /**
   * Parses certificates in PEM and names as JSON arrays; a missing key counts as empty.
   *
   * @throws UnusableTrustException if a value is malformed
   */
  static TrustSettings read(Map<String, String> data) throws UnusableTrustException {
    return new TrustSettings(
        certificates(data, "client-ca-file"),
        certificates(data, "requestheader-client-ca-file"),
        names(data, "requestheader-allowed-names"),
        names(data, "requestheader-username-headers"),
        names(data, "requestheader-uid-headers"),
        names(data, "requestheader-group-headers"),
        names(data, "requestheader-extra-headers-prefix"));
  }

  private static List<X509Certificate> certificates(Map<String, String> data, String key)
      throws UnusableTrustException {
    try {
      return Pem.certificates(data.getOrDefault(key, ""));
    } catch (IOException e) {
      throw new UnusableTrustException(
          "%s holds no PEM certificates: %s".formatted(key, e.getMessage()));
    }
  }

  private static List<String> names(Map<String, String> data, String key)
      throws UnusableTrustException {
    var value = data.getOrDefault(key, "");
    if (value.isBlank()) {
      return List.of();
    }
    try {
      var names = JSON.readValue(value, new TypeReference<List<String>>() {});
      if (names == null || names.stream().anyMatch(Objects::isNull)) {
        throw new UnusableTrustException(key + " is not a JSON array of strings: " + value);
      }
      return names;
    } catch (JsonProcessingException e) {
      throw new UnusableTrustException(
          "%s is not a JSON array of strings: %s".formatted(key, e.getOriginalMessage()));
    }
  }
}
