package io.prescale.controller.web.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.identity.Access;
import io.prescale.adapter.identity.AccessReviewer;
import io.prescale.adapter.identity.ReviewException;
import io.prescale.adapter.identity.TokenReviewer;
import io.prescale.adapter.identity.User;
import io.prescale.controller.web.Gatekeeper.Verdict;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadersOfPredictiveHpasTest {
  private static final InstantSource NOW = InstantSource.fixed(Instant.EPOCH);
  private static final User ANN = new User("ann", "", List.of(), Map.of());

  private final List<Access> asked = new ArrayList<>();

  private final TokenReviewer tokens =
      token ->
          switch (token) {
            case "of-ann" -> Optional.of(ANN);
            case "of-root" -> Optional.of(new User("root", "", List.of(User.MASTERS), Map.of()));
            case "during-outage" -> throw new ReviewException("no answer");
            default -> Optional.empty();
          };

  private Verdict judge(String authorization, boolean allowed, String... namespaces) {
    AccessReviewer access =
        question -> {
          asked.add(question);
          return new AccessReviewer.Decision(allowed, "");
        };
    return judge(authorization, access, namespaces);
  }

  private Verdict judge(String authorization, AccessReviewer access, String... namespaces) {
    return new ReadersOfPredictiveHpas(tokens, access, Set.of(namespaces), NOW)
        .judge(authorization);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "Bearer", "Bearer ", "Bearer of-bob", "Basic b2YtYW5u", "of-ann"})
  void refusesCallersWithoutATokenOfTheCluster(String authorization) {
    assertThat(judge(authorization, true)).isInstanceOf(Verdict.Unknown.class);
    assertThat(asked).isEmpty();
  }

  @Test
  void admitsUsersWhoMayListThePredictiveHpasOfAllNamespaces() {
    assertThat(judge("Bearer of-ann", true)).isEqualTo(new Verdict.Admitted());
    assertThat(asked)
        .singleElement()
        .isInstanceOfSatisfying(
            Access.ToResource.class,
            access -> {
              assertThat(access.user().name()).isEqualTo("ann");
              assertThat(access.user().groups()).contains("system:authenticated");
              assertThat(access.verb()).isEqualTo("list");
              assertThat(access.group()).isEqualTo("autoscaling.prescale.io");
              assertThat(access.resource()).isEqualTo("predictivehpas");
              assertThat(access.namespace()).isEmpty();
            });
  }

  @Test
  void asksForEveryNamespaceThatIsWatched() {
    assertThat(judge("Bearer of-ann", true, "b", "a")).isEqualTo(new Verdict.Admitted());
    assertThat(asked)
        .extracting(it -> ((Access.ToResource) it).namespace())
        .containsExactly("a", "b");
    assertThat(
            judge(
                "Bearer of-ann",
                question ->
                    new AccessReviewer.Decision(
                        ((Access.ToResource) question).namespace().equals("a"), ""),
                "a",
                "b"))
        .isEqualTo(
            new Verdict.Forbidden("ann may not list predictivehpas.autoscaling.prescale.io in b."));
  }

  @Test
  void forbidsUsersWhoMayNot() {
    assertThat(judge("Bearer of-ann", false))
        .isEqualTo(
            new Verdict.Forbidden(
                "ann may not list predictivehpas.autoscaling.prescale.io of all namespaces."));
    assertThat(judge("Bearer of-root", false)).isEqualTo(new Verdict.Admitted());
  }

  @Test
  void admitsNoUserWhileTheClusterDoesNotAnswer() {
    assertThat(judge("Bearer during-outage", true))
        .isEqualTo(new Verdict.Undecided("The token cannot be checked now: no answer."));
    assertThat(
            judge(
                "Bearer of-ann",
                _ -> {
                  throw new ReviewException("no answer");
                }))
        .isEqualTo(new Verdict.Undecided("The access of ann cannot be checked now: no answer."));
  }
}
