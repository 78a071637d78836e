package io.prescale.controller.plan.cluster;

import io.prescale.controller.api.v1alpha1.PlanPeak;
import io.prescale.controller.api.v1alpha1.PlanShape;
import io.prescale.controller.api.v1alpha1.PlanStatement;
import io.prescale.controller.plan.Dependence;
import io.prescale.controller.plan.cluster.PlannedHour.Fit;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.controller.scheduler.whatif.NodeKind;
import io.prescale.placement.queue.Quota;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Makes the plan of a cluster. Hour by hour, every group of services gets the most that it needs in
 * the hour with the probability of the plan, on the cards that are free once all that has an end
 * before the hour is gone; what finds no place is missing.
 */
public final class CapacityPlanner {
  private static final int MOST_STATEMENTS = 20;
  private static final int MOST_SHAPES = 50;
  private static final List<Integer> PEAKS = List.of(50, 90, 95);
  private static final double PERCENT = 100;
  private static final int WHOLE = 1000;

  private final ClusterObjects cluster;
  private final Map<String, Instant> ends;
  private final PlanQuestion question;
  private final Instant now;
  private final List<ShapeGroup> groups;

  /**
   * What a plan says.
   *
   * @param groups with the distribution of their needs
   */
  public record Answer(
      List<PlanStatement> statements, List<PlanShape> shapes, List<ShapeGroup> groups) {
    public Answer {
      statements = List.copyOf(statements);
      shapes = List.copyOf(shapes);
      groups = List.copyOf(groups);
    }
  }

  /** An hour, and what each group needs in it at most. */
  private record Hour(int number, int first, int end, List<Integer> needs) {}

  private CapacityPlanner(
      ClusterObjects cluster,
      Map<String, Instant> ends,
      List<ShapeGroup> groups,
      PlanQuestion question,
      Instant now) {
    this.cluster = cluster;
    this.ends = ends;
    this.question = question;
    this.now = now;
    this.groups = groups;
  }

  /**
   * Plans.
   *
   * @param ends when running pods end, by UID
   * @param services whose demands have the same steps
   * @param dependence of all their forecasts
   * @throws IllegalArgumentException with a sentence, when a node that is to be gone is unknown
   */
  public static Answer plan(
      ClusterObjects cluster,
      Map<String, Instant> ends,
      List<Service> services,
      Dependence dependence,
      PlanQuestion question,
      Instant now) {
    var left = question.left(cluster);
    var groups = ShapeGroup.of(services, dependence, question.factor(), cluster);
    var planner = new CapacityPlanner(left, ends, groups, question, now);
    return new Answer(planner.statements(), planner.shapes(), groups);
  }

  private Instant time(int h) {
    return groups.getFirst().services().getFirst().demand().time(h);
  }

  private Duration step() {
    return groups.getFirst().services().getFirst().demand().step();
  }

  private List<PlanStatement> statements() {
    if (groups.isEmpty()) {
      return List.of();
    }
    var hours = hours();
    var fits = fits(hours);
    var kinds = fits.isEmpty() ? List.<NodeKind>of() : NodeKind.of(cluster);
    var statements = new ArrayList<PlanStatement>();
    for (int group = 0; group < groups.size(); group++) {
      statements.addAll(statements(group, hours, fits, kinds));
    }
    return statements.stream()
        .sorted(
            Comparator.comparingInt(PlanStatement::percent)
                .reversed()
                .thenComparing(PlanStatement::from))
        .limit(MOST_STATEMENTS)
        .toList();
  }

  private List<Hour> hours() {
    int steps = groups.getFirst().sums().size();
    int each = (int) Math.max(1, Duration.ofHours(1).dividedBy(step()));
    var hours = new ArrayList<Hour>();
    for (int first = 0; first < steps; first += each) {
      int from = first;
      int end = Math.min(steps, first + each);
      var needs =
          groups.stream()
              .map(
                  group ->
                      IntStream.range(from, end)
                          .map(h -> group.need(h, question.level()))
                          .max()
                          .orElse(0))
              .toList();
      hours.add(new Hour(hours.size(), first, end, needs));
    }
    return hours;
  }

  /**
   * What fits in each hour in which something is missing. An hour is not tried when all fits in an
   * earlier one that needs no less: since then, pods have only ended.
   */
  private Map<Integer, List<Fit>> fits(List<Hour> hours) {
    var fits = new TreeMap<Integer, List<Fit>>();
    var enough = new ArrayList<Hour>();
    var order = hours.stream().sorted(Comparator.comparingDouble(this::cards).reversed()).toList();
    for (var hour : order) {
      if (enough.stream().anyMatch(it -> covers(it, hour))) {
        continue;
      }
      var then = PlannedHour.at(cluster, ends, time(hour.first()));
      var found = PlannedHour.fits(then, groups, hour.needs(), now);
      if (IntStream.range(0, found.size())
          .allMatch(i -> found.get(i).fits() >= hour.needs().get(i))) {
        enough.add(hour);
      } else {
        fits.put(hour.number(), found);
      }
    }
    return fits;
  }

  private static boolean covers(Hour more, Hour less) {
    return more.number() <= less.number()
        && IntStream.range(0, more.needs().size())
            .allMatch(i -> more.needs().get(i) >= less.needs().get(i));
  }

  private double cards(Hour hour) {
    return IntStream.range(0, groups.size())
        .mapToDouble(i -> groups.get(i).cards() * hour.needs().get(i))
        .sum();
  }

  /** One statement for the steps in a row in which more is needed than fits. */
  private List<PlanStatement> statements(
      int group, List<Hour> hours, Map<Integer, List<Fit>> fits, List<NodeKind> kinds) {
    var statements = new ArrayList<PlanStatement>();
    var run = new ArrayList<ShortStep>();
    for (var hour : hours) {
      for (int h = hour.first(); h < hour.end(); h++) {
        var fit = Optional.ofNullable(fits.get(hour.number())).map(it -> it.get(group));
        int need = groups.get(group).need(h, question.level());
        if (fit.isPresent() && need > fit.get().fits()) {
          run.add(new ShortStep(time(h), need, fit.get(), probability(group, h, fit.get())));
        } else if (!run.isEmpty()) {
          statements.add(statement(group, run, kinds));
          run.clear();
        }
      }
    }
    if (!run.isEmpty()) {
      statements.add(statement(group, run, kinds));
    }
    return statements;
  }

  private double probability(int group, int h, Fit fit) {
    return groups.get(group).sums().get(h).probabilityAbove(fit.fits());
  }

  private PlanStatement statement(int group, List<ShortStep> run, List<NodeKind> kinds) {
    return new ShortRun(groups.get(group), List.copyOf(run), step(), question, now)
        .statement((pods, missing) -> NodeKind.forReplicas(kinds, cluster, pods, missing, now));
  }

  private List<PlanShape> shapes() {
    return groups.stream()
        .sorted(Comparator.comparingDouble(this::highest).reversed())
        .limit(MOST_SHAPES)
        .map(
            group ->
                new PlanShape(
                    group.shape(),
                    group.names(),
                    PlannedHour.running(cluster, group),
                    percents().mapToObj(percent -> peak(group, percent)).toList()))
        .toList();
  }

  /** The usual ones, and the one that is asked for. */
  private IntStream percents() {
    int asked = (int) Math.round(PERCENT * question.level());
    return IntStream.concat(PEAKS.stream().mapToInt(it -> it), IntStream.of(asked))
        .distinct()
        .sorted();
  }

  private double highest(ShapeGroup group) {
    return group.cards() * peak(group, PEAKS.getLast()).replicas();
  }

  private PlanPeak peak(ShapeGroup group, int percent) {
    int highest =
        IntStream.range(0, group.sums().size())
            .boxed()
            .max(
                Comparator.comparingInt((Integer h) -> group.need(h, percent / PERCENT))
                    .thenComparing(Comparator.reverseOrder()))
            .orElse(0);
    int replicas = group.need(highest, percent / PERCENT);
    var cards = Quota.cards(Math.round(replicas * group.cards() * WHOLE));
    return new PlanPeak(percent, replicas, cards, time(highest));
  }
}
