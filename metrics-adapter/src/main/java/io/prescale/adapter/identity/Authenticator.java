package io.prescale.adapter.identity;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Authenticates the sender of a request in the order of the generic API server: a front proxy's
 * headers, a client certificate, a bearer token; without any of them the sender is anonymous
 * ({@code k8s.io/apiserver/pkg/authentication/authenticatorfactory/delegating.go}).
 *
 * <p>Thread-safe. Certificates are checked against the current settings, even on connections that
 * are older.
 */
public final class Authenticator {
  private static final Duration CHECKED_FOR = Duration.ofSeconds(10);
  private static final int CAPACITY = 4096;

  private static final String BEARER = "bearer ";

  private record Signed(List<X509Certificate> chain, TrustSettings trust) {}

  /** Until when a certificate is valid by the cluster's authorities; empty if none signed it. */
  private record Signatures(
      Optional<Instant> byProxyAuthority, Optional<Instant> byClientAuthority) {}

  private final Supplier<Optional<TrustSettings>> trust;
  private final TokenOwners tokens;
  private final InstantSource clock;
  private final ExpiringCache<Signed, Signatures> signatures;

  /**
   * Creates an authenticator with an empty cache.
   *
   * @param trust the current settings; empty until they are known
   */
  public Authenticator(
      Supplier<Optional<TrustSettings>> trust,
      TokenReviewer tokens,
      ReviewTtl ttl,
      InstantSource clock) {
    this.trust = trust;
    this.tokens = new TokenOwners(tokens, ttl, clock);
    this.clock = clock;
    this.signatures = new ExpiringCache<>(clock, CHECKED_FOR, CAPACITY);
  }

  /** Whether the trust settings are known. */
  public boolean isReady() {
    return trust.get().isPresent();
  }

  /** Authenticates the sender; may block while the cluster reviews a token. */
  public Authentication authenticate(CallerCredentials credentials) {
    var settings = trust.get();
    if (settings.isEmpty()) {
      return new Authentication.Unavailable(
          "the cluster's extension-apiserver-authentication is not read yet");
    }
    var known = fromCertificate(credentials, settings.get());
    if (known.isPresent()) {
      return known.get();
    }
    var token = bearer(credentials);
    if (token.isEmpty() && credentials.chain().isEmpty()) {
      return new Authentication.Known(User.ANONYMOUS, false);
    }
    return token.filter(it -> !it.isEmpty()).isEmpty()
        ? new Authentication.Refused()
        : fromToken(token.get());
  }

  private Optional<Authentication> fromCertificate(
      CallerCredentials credentials, TrustSettings settings) {
    if (credentials.chain().isEmpty()) {
      return Optional.empty();
    }
    var now = clock.instant();
    var signed = signatures(new Signed(credentials.chain(), settings), now);
    var subject = Subject.of(credentials.chain().getFirst());
    if (signed.byProxyAuthority().filter(now::isBefore).isPresent()
        && (settings.proxyNames().isEmpty()
            || settings.proxyNames().contains(subject.commonName()))) {
      var user = fromHeaders(credentials, settings);
      if (user.isPresent()) {
        return Optional.of(new Authentication.Known(user.get().authenticated(), true));
      }
    }
    if (signed.byClientAuthority().filter(now::isBefore).isPresent()
        && !subject.commonName().isEmpty()) {
      var user = new User(subject.commonName(), "", subject.organizations(), Map.of());
      return Optional.of(new Authentication.Known(user.authenticated(), false));
    }
    return Optional.empty();
  }

  private Signatures signatures(Signed signed, Instant now) {
    var trusted = signed.trust();
    return signatures
        .find(signed)
        .orElseGet(
            () ->
                signatures.put(
                    signed,
                    new Signatures(
                        CertificateCheck.validUntil(
                            signed.chain(), trusted.proxyAuthorities(), now),
                        CertificateCheck.validUntil(
                            signed.chain(), trusted.clientAuthorities(), now))));
  }

  private static Optional<User> fromHeaders(CallerCredentials credentials, TrustSettings settings) {
    var name = first(credentials, settings.userHeaders());
    if (name.isEmpty()) {
      return Optional.empty();
    }
    var groups = new ArrayList<String>();
    settings.groupHeaders().forEach(header -> groups.addAll(credentials.header(header)));
    var extra = new LinkedHashMap<String, List<String>>();
    for (var prefix : settings.extraPrefixes()) {
      addExtra(credentials, prefix.toLowerCase(Locale.ROOT), extra);
    }
    return Optional.of(new User(name, first(credentials, settings.uidHeaders()), groups, extra));
  }

  private static String first(CallerCredentials credentials, List<String> headers) {
    return headers.stream()
        .flatMap(header -> credentials.header(header).stream())
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static void addExtra(
      CallerCredentials credentials, String prefix, Map<String, List<String>> extra) {
    credentials
        .headers()
        .forEach(
            (header, values) -> {
              if (header.startsWith(prefix) && header.length() > prefix.length()) {
                extra
                    .computeIfAbsent(
                        decoded(header.substring(prefix.length())), _ -> new ArrayList<>())
                    .addAll(values);
              }
            });
  }

  /** Decodes the key of an extra attribute from percent-encoding; keeps a malformed one. */
  private static String decoded(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return key;
    }
  }

  private Authentication fromToken(String token) {
    try {
      var owner = tokens.find(token);
      return owner.isPresent()
          ? new Authentication.Known(owner.get().authenticated(), false)
          : new Authentication.Refused();
    } catch (ReviewException e) {
      return new Authentication.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  private static Optional<String> bearer(CallerCredentials credentials) {
    return credentials.header("authorization").stream()
        .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
        .map(value -> value.substring(BEARER.length()).strip())
        .findFirst();
  }
}
