package io.prescale.adapter.identity;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
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
  private static final Duration HOLD_FOR = Duration.ofSeconds(10);
  private static final int CAPACITY = 4096;
  private static final String BEARER = "bearer ";

  private record Signed(List<X509Certificate> chain, TrustSettings trust) {}

  /** Which of the cluster's authorities have signed a certificate. */
  private record Signatures(boolean byProxyAuthority, boolean byClientAuthority) {}

  private final Supplier<Optional<TrustSettings>> trust;
  private final TokenReviewer tokens;
  private final InstantSource clock;
  private final ExpiringCache<Signed, Signatures> signatures;
  private final ExpiringCache<String, Optional<User>> owners;

  /**
   * Creates an authenticator with an empty cache.
   *
   * @param trust the current settings; empty until they are known
   */
  public Authenticator(
      Supplier<Optional<TrustSettings>> trust, TokenReviewer tokens, InstantSource clock) {
    this.trust = trust;
    this.tokens = tokens;
    this.clock = clock;
    this.signatures = new ExpiringCache<>(clock, HOLD_FOR, CAPACITY);
    this.owners = new ExpiringCache<>(clock, HOLD_FOR, CAPACITY);
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
    try {
      var user = fromCertificate(credentials, settings.get());
      if (user.isEmpty()) {
        user = fromToken(credentials);
      }
      if (user.isPresent()) {
        return new Authentication.Known(user.get().authenticated());
      }
    } catch (ReviewException e) {
      return new Authentication.Unavailable(String.valueOf(e.getMessage()));
    }
    return credentials.chain().isEmpty() && bearer(credentials).isEmpty()
        ? new Authentication.Known(User.ANONYMOUS)
        : new Authentication.Refused();
  }

  private Optional<User> fromCertificate(CallerCredentials credentials, TrustSettings settings)
      throws ReviewException {
    if (credentials.chain().isEmpty()) {
      return Optional.empty();
    }
    var signed = signatures.get(new Signed(credentials.chain(), settings), this::check);
    var subject = Subject.of(credentials.chain().getFirst());
    if (signed.byProxyAuthority()
        && (settings.proxyNames().isEmpty()
            || settings.proxyNames().contains(subject.commonName()))) {
      var user = fromHeaders(credentials, settings);
      if (user.isPresent()) {
        return user;
      }
    }
    if (signed.byClientAuthority() && !subject.commonName().isEmpty()) {
      return Optional.of(new User(subject.commonName(), "", subject.organizations(), Map.of()));
    }
    return Optional.empty();
  }

  private Signatures check(Signed signed) {
    var now = clock.instant();
    return new Signatures(
        CertificateCheck.passes(signed.chain(), signed.trust().proxyAuthorities(), now),
        CertificateCheck.passes(signed.chain(), signed.trust().clientAuthorities(), now));
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

  private Optional<User> fromToken(CallerCredentials credentials) throws ReviewException {
    var token = bearer(credentials);
    if (token.isEmpty() || token.get().isEmpty()) {
      return Optional.empty();
    }
    var owner = owners.get(token.get(), tokens::review);
    if (owner.isEmpty()) {
      owners.forget(token.get()); // only success is cached: a token may become valid at any moment
    }
    return owner;
  }

  private static Optional<String> bearer(CallerCredentials credentials) {
    return credentials.header("authorization").stream()
        .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
        .map(value -> value.substring(BEARER.length()).strip())
        .findFirst();
  }
}
