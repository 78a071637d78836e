package io.prescale.controller.plan.cluster;

import io.prescale.controller.api.v1alpha1.PlanAsk;
import io.prescale.controller.api.v1alpha1.PlanNodes;
import io.prescale.controller.api.v1alpha1.PlanStatement;
import io.prescale.controller.scheduler.whatif.NodeKind;
import io.prescale.controller.scheduler.whatif.ReplicaPods;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/** Steps in a row in which a group needs more than fits, and what is said about them. */
record ShortRun(
    ShapeGroup group, List<ShortStep> steps, Duration step, PlanQuestion question, Instant now) {
  private static final double PERCENT = 100;
  private static final int MOST_ASKS = 20;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  /**
   * The statement.
   *
   * @param nodes the nodes that would hold so many replicas, if a kind does
   */
  PlanStatement statement(BiFunction<ReplicaPods, Integer, Optional<NodeKind.Needed>> nodes) {
    var worst =
        steps.stream()
            .max(
                Comparator.comparingInt(ShortStep::missing)
                    .thenComparingDouble(ShortStep::probability)
                    .thenComparing(Comparator.comparing(ShortStep::time).reversed()))
            .orElseThrow();
    var from = steps.getFirst().time();
    int askedFit = Math.min(worst.missing(), worst.fit().askedFit());
    var asks = asks(worst.fit(), from);
    int rest = worst.missing() - askedFit;
    var needed =
        rest == 0
            ? Optional.<NodeKind.Needed>empty()
            : nodes.apply(group.services().getFirst().pods(), rest);
    var missing =
        needed.map(
            it ->
                new PlanNodes(
                    it.nodes(),
                    it.kind().name(),
                    notBefore(from.minus(group.lead()).minus(question.nodeLead()))));
    return new PlanStatement(
        from,
        steps.getLast().time().plus(step),
        worst.time(),
        group.names(),
        group.shape(),
        worst.need(),
        worst.fit().fits(),
        (int) Math.round(worst.probability() * PERCENT),
        askedFit,
        asks,
        missing.orElse(null),
        sentence(from, worst, askedFit, asks, missing));
  }

  private List<PlanAsk> asks(PlannedHour.Fit fit, Instant from) {
    return fit.asked().stream()
        .map(it -> new PlanAsk(it.pod(), notBefore(from.minus(group.lead()).minus(it.grace()))))
        .sorted(Comparator.comparing(PlanAsk::notice).thenComparing(PlanAsk::pod))
        .limit(MOST_ASKS)
        .toList();
  }

  /** What should have begun already begins at once. */
  private Instant notBefore(Instant time) {
    return time.isBefore(now) ? now : time;
  }

  private String sentence(
      Instant from, ShortStep worst, int askedFit, List<PlanAsk> asks, Optional<PlanNodes> nodes) {
    var parts = new ArrayList<String>();
    parts.add(
        "%s UTC: %s: %d x %s (P%d); %d fit"
            .formatted(
                TIME.format(from),
                group.title(),
                worst.need(),
                group.shape(),
                Math.round(question.level() * PERCENT),
                worst.fit().fits()));
    if (askedFit > 0) {
      parts.add(
          "for %d: ask %s, notice from %s"
              .formatted(
                  askedFit,
                  pods(asks),
                  TIME.format(Objects.requireNonNull(asks.getFirst()).notice())));
    }
    int rest = worst.missing() - askedFit;
    if (rest > 0) {
      parts.add(
          nodes
              .map(
                  it ->
                      "for %d: %d %s %s, ordered by %s"
                          .formatted(
                              rest,
                              it.count(),
                              it.count() == 1 ? "node" : "nodes",
                              it.kind(),
                              TIME.format(it.startBy())))
              .orElse("for %d: no kind of node here would hold one".formatted(rest)));
    }
    parts.add(
        "more than fit are needed with a probability of %d %%"
            .formatted(Math.round(worst.probability() * PERCENT)));
    return String.join("; ", parts) + ".";
  }

  private static String pods(List<PlanAsk> asks) {
    var named = asks.stream().limit(3).map(PlanAsk::pod).toList();
    int more = asks.size() - named.size();
    return String.join(", ", named) + (more > 0 ? " and %d more".formatted(more) : "");
  }
}
