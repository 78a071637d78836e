package io.prescale.adapter.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuthorizerTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final List<Access> asked = new ArrayList<>();
  private Instant now = NOON;
  private boolean clusterAnswers = true;
  private final Authorizer authorizer = new Authorizer(this::review, ReviewTtl.usual(), () -> now);

  @Test
  void tenReadsOfAnHpaNeedThreeReviews() throws ReviewException {
    for (int read = 0; read < 10; read++) {
      now = NOON.plusSeconds(15L * read);
      assertThat(authorizer.decide(list("hpa-controller", "rps")).allowed()).isTrue();
    }

    assertThat(asked).hasSize(3);
  }

  @Test
  void tenThousandMetricsInOneCycleNeedOneReviewAMinute() throws ReviewException {
    for (int cycle = 0; cycle < 8; cycle++) {
      now = NOON.plusSeconds(15L * cycle);
      for (int metric = 0; metric < 10_000; metric++) {
        assertThat(authorizer.decide(list("hpa-controller", "rps" + metric)).allowed()).isTrue();
      }
    }

    assertThat(asked)
        .hasSize(2)
        .allSatisfy(
            it ->
                assertThat(it)
                    .isEqualTo(
                        new Access.ToResource(
                            user("hpa-controller"),
                            "list",
                            "external.metrics.k8s.io",
                            "v1beta1",
                            "*",
                            "",
                            "",
                            "")));
  }

  @Test
  void oneWhoMayNotReadAllIsAskedAboutByMetricAndByNamespace() throws ReviewException {
    assertThat(authorizer.decide(list("alice", "rps")).allowed()).isTrue();
    assertThat(authorizer.decide(list("alice", "queue")).allowed()).isTrue();
    assertThat(authorizer.decide(list("alice", "rps")).allowed()).isTrue();

    assertThat(asked)
        .extracting(it -> ((Access.ToResource) it).resource())
        .containsExactly("*", "rps", "queue");
  }

  @Test
  void aDenialIsKeptForTenSeconds() throws ReviewException {
    for (int second = 0; second < 20; second++) {
      now = NOON.plusSeconds(second);
      assertThat(authorizer.decide(list("bob", "rps")).allowed()).isFalse();
    }

    assertThat(asked).as("of all and of one, twice").hasSize(4);
  }

  @Test
  void aFloodOfOthersDoesNotDisplaceADecisionInUse() throws ReviewException {
    for (int i = 0; i < 20_000; i++) {
      authorizer.decide(list("hpa-controller", "rps"));
      authorizer.decide(list("user" + i, "rps"));
    }

    assertThat(asked).hasSize(40_001);
  }

  @Test
  void distinguishesUsersGroupsAndNamespaces() throws ReviewException {
    authorizer.decide(list("alice", "rps"));
    authorizer.decide(list("alice", "queue"));
    authorizer.decide(
        new Access.ToPath(new User("alice", "", List.of("dev"), Map.of()), "get", "/apis"));
    authorizer.decide(new Access.ToPath(user("alice"), "get", "/apis"));

    assertThat(asked).hasSize(5);
  }

  @Test
  void mastersNeedNoReview() throws ReviewException {
    clusterAnswers = false;
    var master = new User("root", "", List.of(User.MASTERS), Map.of());

    assertThat(authorizer.decide(new Access.ToPath(master, "get", "/secret")).allowed()).isTrue();
  }

  @Test
  void failsClosedAndAsksAgain() throws ReviewException {
    clusterAnswers = false;
    assertThatThrownBy(() -> authorizer.decide(list("alice", "rps")))
        .isInstanceOf(ReviewException.class);

    clusterAnswers = true;
    assertThat(authorizer.decide(list("alice", "rps")).allowed()).isTrue();
  }

  @Test
  void aFloodOfUsersDoesNotFillTheMemory() throws ReviewException {
    for (int i = 0; i < 20_000; i++) {
      authorizer.decide(list("user" + i, "rps"));
    }
    authorizer.decide(list("user19999", "rps"));

    assertThat(asked).hasSize(40_000);
    authorizer.decide(list("user0", "rps"));
    assertThat(asked).hasSize(40_002);
  }

  @Test
  void onlyTheProbesAreOpen() {
    assertThat(List.of("/healthz", "/livez", "/readyz")).allMatch(Authorizer::isOpen);
    assertThat(List.of("/", "/healthz/ping", "/apis", "/readyz/", "//healthz", "/HEALTHZ"))
        .noneMatch(Authorizer::isOpen);
  }

  private AccessReviewer.Decision review(Access access) throws ReviewException {
    if (!clusterAnswers) {
      throw new ReviewException("no answer");
    }
    asked.add(access);
    boolean isOfAll = access instanceof Access.ToResource it && it.resource().equals("*");
    var user = access.user().name();
    return new AccessReviewer.Decision(
        isOfAll ? user.equals("hpa-controller") : !user.equals("bob"), "");
  }

  private static Access list(String user, String metric) {
    return new Access.ToResource(
        user(user), "list", "external.metrics.k8s.io", "v1beta1", metric, "", "default", "");
  }

  private static User user(String name) {
    return new User(name, "", List.of(), Map.of());
  }
}
