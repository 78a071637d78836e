package io.prescale.adapter.identity;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The authorities that the cluster trusts to authenticate users, from the ConfigMap {@code
 * kube-system/extension-apiserver-authentication}.
 *
 * @param clientAuthorities sign the certificates of users; empty if there are none
 * @param proxyAuthorities sign the certificates of front proxies; empty turns the headers off
 * @param proxyNames the common names of front proxies; empty allows any
 * @param userHeaders hold the user's name; the first that is sent counts
 * @param uidHeaders hold the user's identifier
 * @param groupHeaders hold the user's groups
 * @param extraPrefixes of headers that hold further attributes
 */
public record TrustSettings(
    List<X509Certificate> clientAuthorities,
    List<X509Certificate> proxyAuthorities,
    List<String> proxyNames,
    List<String> userHeaders,
    List<String> uidHeaders,
    List<String> groupHeaders,
    List<String> extraPrefixes) {
  public TrustSettings {
    clientAuthorities = List.copyOf(clientAuthorities);
    proxyAuthorities = List.copyOf(proxyAuthorities);
    proxyNames = List.copyOf(proxyNames);
    userHeaders = List.copyOf(userHeaders);
    uidHeaders = List.copyOf(uidHeaders);
    groupHeaders = List.copyOf(groupHeaders);
    extraPrefixes = List.copyOf(extraPrefixes);
  }

  /** Settings without authorities: only bearer tokens authenticate. */
  public static TrustSettings none() {
    return new TrustSettings(
        List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
  }
}
