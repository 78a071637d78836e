package io.prescale.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.APIServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.adapter.identity.ReviewTtl;
import io.prescale.controller.MockApi;
import io.prescale.controller.certificates.Certificates;
import io.prescale.controller.serving.AdapterSettings.PassThrough;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The APIService, from another adapter to Prescale and back. */
@MockApi(crud = true)
@NullUnmarked // the extension sets the client
class ApiTakeoverTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private KubernetesClient client;
  private ScriptedAdapter theirs;
  private ScriptedAdapter ours;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    theirs = ScriptedAdapter.start(folder, "theirs");
    ours = ScriptedAdapter.start(folder, "ours");
  }

  @AfterEach
  void stop() {
    theirs.close();
    ours.close();
  }

  @Test
  void isTakenOverWhenBothAnswerAndGivenBackAsItWas() {
    create(Map.of("cert-manager.io/inject-ca-from", "monitoring/ca", "note", "theirs"));
    var before = there();

    try (var passing = passing(NOON)) {
      var registration = registration(Optional.of(passing));
      assertThat(registration.ensure(bundle()))
          .isEqualTo(
              new Registration.Ours(
                  Optional.of("monitoring/adapter"), Optional.empty(), Optional.empty()));

      assertThat(there().getSpec().getService().getName()).isEqualTo("prescale");
      assertThat(there().getSpec().getCaBundle()).isEqualTo(ours.caBundle());
      assertThat(there().getMetadata().getAnnotations())
          .containsKeys(FormerOwner.ANNOTATION, "note")
          .doesNotContainKey("cert-manager.io/inject-ca-from");
      var taken = there();
      assertThat(registration.ensure(bundle()))
          .isEqualTo(
              new Registration.Ours(
                  Optional.of("monitoring/adapter"), Optional.empty(), Optional.empty()));
      assertThat(there()).as("at rest").isEqualTo(taken);
      assertThat(passing.other().resources()).containsExactly("queue");
    }

    assertThat(ApiReturn.with(client, NOON)).isEqualTo(new ApiReturn.To("monitoring/adapter"));
    assertThat(there().getSpec()).isEqualTo(before.getSpec());
    assertThat(there().getMetadata().getAnnotations())
        .containsEntry("cert-manager.io/inject-ca-from", "monitoring/ca")
        .containsEntry("note", "theirs")
        .doesNotContainKey(FormerOwner.ANNOTATION);
    assertThat(ApiReturn.with(client, NOON)).isEqualTo(new ApiReturn.Nothing());
  }

  @Test
  void afterItWasGivenBackOnlyAReplicaThatStartsLaterTakesItAgain() {
    create(Map.of());
    try (var passing = passing(NOON)) {
      registration(Optional.of(passing)).ensure(bundle());
      ApiReturn.with(client, NOON.plusSeconds(60));

      var held = registration(Optional.of(passing)).ensure(bundle());

      assertThat(held).isInstanceOf(Registration.HeldBy.class);
      assertThat(((Registration.HeldBy) held).advice()).contains("given back");
    }
    try (var later = passing(NOON.plusSeconds(90))) {
      assertThat(registration(Optional.of(later)).ensure(bundle()))
          .isInstanceOf(Registration.Ours.class);
      assertThat(there().getMetadata().getAnnotations())
          .doesNotContainKey(ApiServiceRegistration.GIVEN_BACK);
    }
  }

  @Test
  void whoNoLongerPassesThroughGivesItBack() {
    create(Map.of());
    var before = there().getSpec();
    try (var passing = passing(NOON)) {
      registration(Optional.of(passing)).ensure(bundle());
    }

    var held = registration(Optional.empty()).ensure(bundle());

    assertThat(held).isEqualTo(new Registration.HeldBy("monitoring/adapter", "it was given back"));
    assertThat(there().getSpec()).isEqualTo(before);
  }

  @Test
  void whoDoesNotRegisterOnlyLooks() {
    var registration = registration(Optional.empty());
    assertThat(registration.look().unserved().orElseThrow())
        .contains("is not known (there is none)");
    create(Map.of());
    var before = there();

    assertThat(registration.look().unserved().orElseThrow())
        .startsWith(
            "APIService v1beta1.external.metrics.k8s.io points to monitoring/adapter, so that an"
                + " HPA would ask that adapter for Prescale's metrics.");
    assertThat(there()).isEqualTo(before);

    try (var passing = passing(NOON)) {
      registration(Optional.of(passing)).ensure(bundle());
    }
    assertThat(registration.look().unserved()).isEmpty();
  }

  @Test
  void isLeftAloneWhileTheOtherOrOurOwnServiceDoesNotAnswer() {
    create(Map.of());
    var before = there();
    try (var passing = passing(NOON)) {
      var registration = registration(Optional.of(passing));
      theirs.status = 403;
      assertThat(advice(registration.ensure(bundle()))).contains("answers 403 to Prescale");
      theirs.status = 200;
      ours.status = 503;
      assertThat(advice(registration.ensure(bundle())))
          .contains("Prescale's own Service is not ready", "answers 503");
      assertThat(advice(registration.ensure(Optional.empty()))).contains("--tls-ca-file");
      assertThat(there()).isEqualTo(before);

      ours.status = 200;
      assertThat(registration.ensure(bundle())).isInstanceOf(Registration.Ours.class);
    }
  }

  @Test
  void whatTheOtherHasTakenBackByItselfStays() {
    create(Map.of());
    try (var passing = passing(NOON)) {
      registration(Optional.of(passing)).ensure(bundle());
    }
    var renewed =
        new APIServiceBuilder(there())
            .editSpec()
            .withNewService("adapter", "monitoring", 8443)
            .withCaBundle("bmV3")
            .endSpec()
            .build();
    client.apiServices().resource(renewed).update();

    assertThat(ApiReturn.with(client, NOON)).isEqualTo(new ApiReturn.To("monitoring/adapter"));
    assertThat(there().getSpec()).isEqualTo(renewed.getSpec());
    assertThat(there().getMetadata().getAnnotations()).doesNotContainKey(FormerOwner.ANNOTATION);
  }

  @Test
  void anAnnotationThatMakesNoSenseIsNotFollowed() {
    for (var text : new String[] {"", "{", "null", "[]", "{\"namespace\": \"a/b\"}", "7"}) {
      client.apiServices().withName(ApiServiceRegistration.NAME).delete();
      create(Map.of(FormerOwner.ANNOTATION, text));

      assertThat(ApiReturn.with(client, NOON)).as(text).isEqualTo(new ApiReturn.Nothing());
    }
  }

  private static String advice(Registration registration) {
    return ((Registration.HeldBy) registration).advice();
  }

  private PassingThrough passing(Instant startedAt) {
    return new PassingThrough(client, settings(), _ -> "localhost", () -> startedAt);
  }

  private ApiServiceRegistration registration(Optional<PassingThrough> passing) {
    return new ApiServiceRegistration(client, () -> NOON, settings(), passing);
  }

  private AdapterSettings settings() {
    return new AdapterSettings(
        "127.0.0.1",
        0,
        "system",
        "prescale",
        ours.port(),
        new Certificates.SelfMade("unused"),
        ReviewTtl.usual(),
        true,
        PassThrough.VERIFIED,
        "v0",
        "pod");
  }

  private Optional<String> bundle() {
    return Optional.of(
        new String(Base64.getDecoder().decode(ours.caBundle()), StandardCharsets.UTF_8));
  }

  private APIService there() {
    return client.apiServices().withName(ApiServiceRegistration.NAME).get();
  }

  private void create(Map<String, String> annotations) {
    client
        .apiServices()
        .resource(
            new APIServiceBuilder()
                .withNewMetadata()
                .withName(ApiServiceRegistration.NAME)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withGroup("external.metrics.k8s.io")
                .withVersion("v1beta1")
                .withGroupPriorityMinimum(17)
                .withVersionPriority(18)
                .withNewService("adapter", "monitoring", theirs.port())
                .withCaBundle(theirs.caBundle())
                .endSpec()
                .build())
        .create();
  }
}
