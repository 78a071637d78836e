package io.prescale.adapter.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.TestAuthority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class AuthenticatorTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final TestAuthority CLIENTS = new TestAuthority("clients", NOON);
  private static final TestAuthority PROXIES = new TestAuthority("proxies", NOON);

  private final List<String> reviewed = new ArrayList<>();
  private Instant now = NOON;
  private Optional<TrustSettings> trust = Optional.of(trusting("front-proxy"));
  private boolean clusterAnswers = true;
  private final Authenticator authenticator =
      new Authenticator(
          () -> trust, this::review, new ReviewTtl(Duration.ofSeconds(45)), () -> now);

  @Test
  void trustsTheHeadersOfTheFrontProxy() {
    var known =
        authenticate(
            PROXIES.client("CN=front-proxy"),
            Map.of(
                "X-Remote-User", List.of("alice"),
                "X-Remote-Group", List.of("dev", "ops"),
                "X-Remote-Uid", List.of("42"),
                "X-Remote-Extra-Acme.com%2Fproject", List.of("a", "b"),
                "X-Remote-Extra-", List.of("nothing")));

    assertThat(known)
        .isEqualTo(
            new Authentication.Known(
                new User(
                    "alice",
                    "42",
                    List.of("dev", "ops", "system:authenticated"),
                    Map.of("acme.com/project", List.of("a", "b"))),
                true));
  }

  @Test
  void addsTheGroupOfTheAuthenticatedOnlyOnce() {
    var known =
        authenticate(
            PROXIES.client("CN=front-proxy"),
            Map.of(
                "X-Remote-User", List.of("alice"),
                "X-Remote-Group", List.of("system:authenticated")));

    assertThat(((Authentication.Known) known).user().groups())
        .containsExactly("system:authenticated");
  }

  @Test
  void ignoresHeadersWithoutTheProxysCertificate() {
    var forged = Map.of("X-Remote-User", List.of("admin"), "X-Remote-Group", List.of(User.MASTERS));

    assertThat(authenticator.authenticate(new CallerCredentials(forged, List.of())))
        .isEqualTo(new Authentication.Known(User.ANONYMOUS, false));
    assertThat(authenticate(CLIENTS.client("CN=front-proxy"), forged))
        .isInstanceOfSatisfying(
            Authentication.Known.class,
            known -> assertThat(known.user().groups()).containsExactly("system:authenticated"));
    assertThat(authenticate(PROXIES.client("CN=mallory"), forged))
        .isEqualTo(new Authentication.Refused());
    assertThat(authenticate(new TestAuthority("proxies", NOON).client("CN=front-proxy"), forged))
        .isEqualTo(new Authentication.Refused());
    assertThat(authenticate(PROXIES.server("CN=front-proxy"), forged))
        .isEqualTo(new Authentication.Refused());
  }

  @Test
  void anEmptyListAllowsEveryNameOfTheProxysAuthority() {
    trust = Optional.of(trusting());

    assertThat(authenticate(PROXIES.client("CN=any"), Map.of("X-Remote-User", List.of("alice"))))
        .isInstanceOf(Authentication.Known.class);
  }

  @Test
  void refusesTheProxyWithoutAUser() {
    assertThat(authenticate(PROXIES.client("CN=front-proxy"), Map.of()))
        .isEqualTo(new Authentication.Refused());
    assertThat(authenticate(PROXIES.client("CN=front-proxy"), Map.of("X-Remote-User", List.of(""))))
        .isEqualTo(new Authentication.Refused());
  }

  @Test
  void namesTheUserOfAClientCertificate() {
    assertThat(authenticate(CLIENTS.client("O=dev+CN=bob,O=system:masters"), Map.of()))
        .isInstanceOfSatisfying(
            Authentication.Known.class,
            known -> {
              assertThat(known.user().name()).isEqualTo("bob");
              assertThat(known.user().groups())
                  .containsExactlyInAnyOrder("dev", User.MASTERS, "system:authenticated");
            });
  }

  @Test
  void refusesACertificateOutsideItsTime() {
    var bob = CLIENTS.client("CN=bob");
    now = NOON.plus(Duration.ofHours(13));

    assertThat(authenticate(bob, Map.of())).isEqualTo(new Authentication.Refused());
  }

  @Test
  void newAuthoritiesCountAtOnce() {
    var later = new TestAuthority("later", NOON);
    var bob = later.client("CN=bob");
    assertThat(authenticate(bob, Map.of())).isEqualTo(new Authentication.Refused());

    trust =
        Optional.of(
            new TrustSettings(
                List.of(later.certificate()),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of()));

    assertThat(authenticate(bob, Map.of())).isInstanceOf(Authentication.Known.class);
    assertThat(authenticate(CLIENTS.client("CN=bob"), Map.of()))
        .isEqualTo(new Authentication.Refused());
  }

  @Test
  void anExpiredAuthorityIsNotTrusted() {
    var bob = CLIENTS.client("CN=bob", NOON.plus(Duration.ofDays(2)));
    assertThat(authenticate(bob, Map.of())).isInstanceOf(Authentication.Known.class);

    now = NOON.plus(Duration.ofHours(13));

    assertThat(authenticate(bob, Map.of())).isEqualTo(new Authentication.Refused());
  }

  @Test
  void aCertificateIsRefusedInTheSecondInWhichItEnds() {
    var bob = CLIENTS.client("CN=bob", NOON.plusSeconds(60));
    now = NOON.plusSeconds(59);
    assertThat(authenticate(bob, Map.of())).isInstanceOf(Authentication.Known.class);

    now = NOON.plusSeconds(60);

    assertThat(authenticate(bob, Map.of())).isEqualTo(new Authentication.Refused());
  }

  @Test
  void keepsOwnersForTheTtlAndRejectionsForTenSeconds() {
    for (int second = 0; second < 90; second++) {
      now = NOON.plusSeconds(second);
      assertThat(token("Bearer good")).isInstanceOf(Authentication.Known.class);
      assertThat(token("bearer bad")).isEqualTo(new Authentication.Refused());
    }

    assertThat(reviewed.stream().filter("good"::equals)).hasSize(2);
    assertThat(reviewed.stream().filter("bad"::equals)).hasSize(9);
  }

  @Test
  void aFloodOfJunkTokensDoesNotDisplaceAnOwner() {
    assertThat(token("Bearer good")).isInstanceOf(Authentication.Known.class);
    for (int i = 0; i < 20_000; i++) {
      assertThat(token("Bearer junk" + i)).isEqualTo(new Authentication.Refused());
    }

    assertThat(token("Bearer good")).isInstanceOf(Authentication.Known.class);
    assertThat(reviewed.stream().filter("good"::equals)).hasSize(1);
  }

  @Test
  void moreThanSixteenTokensUnderReviewWait() throws Exception {
    var underReview = new CountDownLatch(16);
    var answer = new CountDownLatch(1);
    var slow =
        new Authenticator(
            () -> trust,
            _ -> {
              underReview.countDown();
              awaitQuietly(answer);
              return Optional.empty();
            },
            ReviewTtl.usual(),
            () -> now);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 16; i++) {
        var credentials = bearing("Bearer junk" + i);
        var _ = threads.submit(() -> slow.authenticate(credentials));
      }
      underReview.await();

      assertThat(slow.authenticate(bearing("Bearer one more")))
          .isInstanceOf(Authentication.Unavailable.class);
      answer.countDown();
    }
    assertThat(slow.authenticate(bearing("Bearer one more")))
        .isEqualTo(new Authentication.Refused());
  }

  @Test
  void anEmptyTokenIsRefusedAndAnotherSchemeIsNone() {
    assertThat(token("Bearer ")).isEqualTo(new Authentication.Refused());
    assertThat(token("Basic YWRtaW46")).isEqualTo(new Authentication.Known(User.ANONYMOUS, false));
    assertThat(reviewed).isEmpty();
  }

  @Test
  void reportsWhenTheSenderCannotBeDetermined() {
    clusterAnswers = false;
    assertThat(token("Bearer good")).isEqualTo(new Authentication.Unavailable("no answer"));

    trust = Optional.empty();
    assertThat(authenticator.isReady()).isFalse();
    assertThat(token("Bearer good")).isInstanceOf(Authentication.Unavailable.class);
    assertThat(authenticate(CLIENTS.client("CN=bob"), Map.of()))
        .isInstanceOf(Authentication.Unavailable.class);
  }

  private Authentication token(String authorization) {
    return authenticator.authenticate(bearing(authorization));
  }

  private static CallerCredentials bearing(String authorization) {
    return new CallerCredentials(Map.of("Authorization", List.of(authorization)), List.of());
  }

  private static void awaitQuietly(CountDownLatch latch) throws ReviewException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new ReviewException("interrupted", e);
    }
  }

  private Authentication authenticate(
      TestAuthority.Issued certificate, Map<String, List<String>> headers) {
    return authenticator.authenticate(
        new CallerCredentials(headers, List.of(certificate.certificate())));
  }

  private Optional<User> review(String token) throws ReviewException {
    if (!clusterAnswers) {
      throw new ReviewException("no answer");
    }
    reviewed.add(token);
    return token.equals("good")
        ? Optional.of(new User("robot", "", List.of(), Map.of()))
        : Optional.empty();
  }

  private static TrustSettings trusting(String... proxyNames) {
    return new TrustSettings(
        List.of(CLIENTS.certificate()),
        List.of(PROXIES.certificate()),
        List.of(proxyNames),
        List.of("X-Remote-User"),
        List.of("X-Remote-Uid"),
        List.of("X-Remote-Group"),
        List.of("X-Remote-Extra-"));
  }
}
