package io.prescale.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.keda.DeclaredMetric;
import io.prescale.controller.api.v1alpha1.Specs;
import io.prescale.controller.operator.PredictiveHpas;
import org.junit.jupiter.api.Test;

class KnownPredictiveHpasTest {
  private final KnownPredictiveHpas known = new KnownPredictiveHpas();

  @Test
  void knowsWhatASpecDeclaresBeforeThereIsAStatus() {
    known.onAdd(PredictiveHpas.chat("requests", "tokens"));

    assertThat(known.of("team", "chat").orElseThrow())
        .containsExactly(
            new DeclaredMetric("requests", 4, false), new DeclaredMetric("tokens", 4, false));
    assertThat(known.of("other", "chat")).isEmpty();
    assertThat(known.of("team", "chats")).isEmpty();
  }

  @Test
  void knowsWhetherThereMayBeNoReplicas() {
    var resource = PredictiveHpas.chat("requests");
    var spec = resource.getSpec();
    resource.setSpec(
        Specs.of(spec.scaleTargetRef(), 0, spec.maxReplicas(), spec.mode(), spec.metrics()));
    known.onAdd(resource);

    assertThat(known.of("team", "chat").orElseThrow())
        .containsExactly(new DeclaredMetric("requests", 4, true));
  }

  @Test
  void followsChangesAndForgetsWhatIsDeleted() {
    var before = PredictiveHpas.chat("requests");
    known.onAdd(before);
    known.onUpdate(before, PredictiveHpas.chat("tokens"));

    assertThat(known.of("team", "chat").orElseThrow())
        .containsExactly(new DeclaredMetric("tokens", 4, false));
    known.onDelete(before, false);
    assertThat(known.of("team", "chat")).isEmpty();
  }

  @Test
  void aSpecThatCannotBeReadLeavesWhatItDeclaredBefore() {
    var before = PredictiveHpas.chat("requests");
    known.onAdd(before);
    var now = PredictiveHpas.chat();
    now.setSpec(null);
    known.onUpdate(before, now);

    assertThat(known.of("team", "chat").orElseThrow())
        .containsExactly(new DeclaredMetric("requests", 4, false));
  }

  @Test
  void oneThatIsMadeAnewAndCannotBeReadDeclaresNothing() {
    var before = PredictiveHpas.chat("requests");
    known.onAdd(before);
    var now = PredictiveHpas.chat();
    now.getMetadata().setUid("uid-2");
    now.setSpec(null);
    known.onUpdate(before, now);

    assertThat(known.of("team", "chat")).isEmpty();
  }
}
