package io.prescale.controller.plan.live;

import static io.prescale.controller.plan.live.BookedServices.SIX;
import static io.prescale.controller.plan.live.BookedServices.UNKNOWN;
import static io.prescale.controller.plan.live.BookedServices.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.prescale.controller.MockApi;
import io.prescale.controller.api.v1alpha1.BookingMode;
import io.prescale.controller.api.v1alpha1.CapacityPlan;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.plan.cluster.PlanQuestion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looks at bookings, where forecasting a service takes 40 seconds, and plans that fail. */
@MockApi
@NullUnmarked // the extension sets the client and the server
class DayAheadRoundsTest {
  private static final String ALL =
      "/apis/autoscaling.prescale.io/v1alpha1/predictivehpas?limit=200";

  private static final String PLAN =
      "/apis/placement.prescale.io/v1alpha1/capacityplans/" + CapacityPlan.NAME;

  private final List<String> renewed = new ArrayList<>();
  private final List<List<Booked>> booked = new ArrayList<>();
  private final List<PlanState> planned = new ArrayList<>();
  private KubernetesMockServer server;
  private KubernetesClient client;
  private DayAheadRounds rounds;
  private Instant clock = SIX;
  private boolean leads = true;
  private boolean losesTheLead;

  /** Forecasts that are always due, and take their time. */
  private final class SlowForecasts implements Forecasts {
    @Override
    public void retain(Set<String> uids) {
      renewed.add("retain " + uids.size());
    }

    @Override
    public ServiceForecasts.Known known(PredictiveHPA resource, Instant now) {
      return UNKNOWN;
    }

    @Override
    public List<PredictiveHPA> due(List<PredictiveHPA> services, Instant now) {
      return services;
    }

    @Override
    public void renew(PredictiveHPA resource, Duration lead, Instant now) {
      renewed.add("%s after %d looks".formatted(resource.getMetadata().getName(), booked.size()));
      clock = clock.plus(Duration.ofSeconds(40));
      leads = !losesTheLead;
    }
  }

  @BeforeEach
  void rounds() {
    var config = Config.empty();
    config.setMasterUrl(client.getConfiguration().getMasterUrl());
    config.setTrustCerts(true);
    config.setRequestRetryBackoffLimit(0);
    rounds =
        new DayAheadRounds(
            new KubernetesClientBuilder().withConfig(config).build(),
            Set.of(),
            new SlowForecasts(),
            () -> leads,
            new AheadSettings(
                Optional.of(new PlanSettings(Duration.ofMinutes(15), PlanQuestion.usual())),
                Optional.of(Duration.ofMinutes(1)),
                Optional.empty()),
            () -> clock,
            planned::add,
            booked::add);
  }

  @AfterEach
  void close() {
    rounds.close();
  }

  private void serves(PredictiveHPA... resources) {
    var list = new DefaultKubernetesResourceList<PredictiveHPA>();
    list.setItems(List.of(resources));
    server.expect().get().withPath(ALL).andReturn(200, list).always();
  }

  private static PredictiveHPA asking(String name) {
    return service(name, Mode.Active, BookingMode.Book);
  }

  @Test
  void whoDoesNotLeadReadsNothingAndHasNothingBooked() {
    leads = false;

    rounds.look();

    assertThat(server.getRequestCount()).isZero();
    assertThat(renewed).as("what is known is forgotten").containsExactly("retain 0");
    assertThat(booked).containsExactly(List.of());
  }

  @Test
  void bookingsAreWrittenBeforeAnythingIsForecastAndAfterAMinuteTheRestWaitsForTheNextLook() {
    serves(asking("c"), asking("a"), asking("b"));

    rounds.look();

    assertThat(renewed).containsExactly("retain 3", "a after 1 looks", "b after 1 looks");
    assertThat(booked.getFirst()).extracting(Booked::name).containsExactly("a", "b", "c");
  }

  @Test
  void whoLosesTheLeadForecastsNoMore() {
    serves(asking("a"), asking("b"));
    losesTheLead = true;

    rounds.look();

    assertThat(renewed).containsExactly("retain 2", "a after 1 looks");
  }

  /** A controller before this one asked for nodes, and was told to ask for none any more. */
  @Test
  void buffersThatAreLeftAreDeletedOnceAndTriedAgainIfThatFails() {
    serves();
    var version = "/apis/autoscaling.x-k8s.io/v1beta1";
    server
        .expect()
        .get()
        .withPath(version)
        .andReturn(200, "{\"resources\": [{\"name\": \"capacitybuffers\"}]}")
        .always();
    var list = version + "/capacitybuffers?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dprescale";
    server.expect().get().withPath(list).andReturn(503, "{}").once();
    server.expect().get().withPath(list).andReturn(200, "{\"items\": []}").once();

    rounds.look();
    rounds.look();
    int requests = server.getRequestCount();
    rounds.look();

    assertThat(booked).hasSize(3);
    assertThat(server.getRequestCount()).as("only the PredictiveHPAs").isEqualTo(requests + 1);

    server.expect().get().withPath(list).andReturn(200, "{\"items\": []}").once();
    leads = false;
    rounds.look();
    leads = true;
    rounds.look();
    assertThat(server.getRequestCount())
        .as("another one led meanwhile, which may have asked for nodes")
        .isEqualTo(requests + 1 + 3);
  }

  @Test
  void aPlanThatIsNeverWrittenIsAsOldAsTheLead() {
    rounds.make();
    clock = SIX.plusSeconds(900);
    rounds.make();

    assertThat(planned).as("nothing can be read").containsOnly(PlanState.since(SIX));

    planned.clear();
    leads = false;
    rounds.make();
    leads = true;
    rounds.make();

    assertThat(planned.getFirst()).isEqualTo(PlanState.none());
    assertThat(planned.subList(1, planned.size()))
        .isNotEmpty()
        .containsOnly(PlanState.since(SIX.plusSeconds(900)));
  }

  @Test
  void theFormerLeadersPlanCountsOnceItCouldBeRead() {
    var made = SIX.minusSeconds(7200);
    server.expect().get().withPath(PLAN).andReturn(503, "{}").once();
    server
        .expect()
        .get()
        .withPath(PLAN)
        .andReturn(200, "{\"status\": {\"madeAt\": \"%s\"}}".formatted(made))
        .once();

    rounds.make();
    assertThat(planned).containsExactly(PlanState.since(SIX));
    clock = SIX.plusSeconds(900);
    rounds.make();

    assertThat(planned)
        .containsExactly(PlanState.since(SIX), PlanState.since(SIX), PlanState.since(made));
  }

  @Test
  void aServerThatDoesNotAnswerEndsTheLookAndNotTheNextOne() {
    server.expect().get().withPath(ALL).andReturn(503, "{}").once();
    serves();

    rounds.look();
    assertThat(booked).isEmpty();
    rounds.look();

    assertThat(booked).containsExactly(List.of());
  }
}
