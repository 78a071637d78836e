package io.prescale.adapter.identity;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of a request that identifies its sender.
 *
 * @param headers all headers of the request by lower-case name, values in the order sent
 * @param chain the client certificate, whose key the handshake has proven, and the certificates
 *     sent with it; not verified yet
 */
public record CallerCredentials(Map<String, List<String>> headers, List<X509Certificate> chain) {
  public CallerCredentials {
    var lowerCase = new TreeMap<String, List<String>>();
    headers.forEach(
        (name, values) -> lowerCase.put(name.toLowerCase(Locale.ROOT), List.copyOf(values)));
    headers = lowerCase;
    chain = List.copyOf(chain);
  }

  /** All values of a header, empty if it was not sent. */
  public List<String> header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }
}
