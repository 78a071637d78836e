package io.prescale.controller.web;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of the cards as the page shows it.
 *
 * @param madeAt null while none was made
 * @param from beginning of its time axis; null while none was made
 * @param until end of its time axis; null while none was made
 * @param percent probability with which the plan is to suffice in each step
 * @param summary the plan in a few words
 * @param shortages what may not fit, the most probable first
 * @param shapes what is needed by shape, the most cards first
 * @param unplanned what is not in the plan, a sentence each
 * @param scored how often earlier statements came true, in a sentence; empty before any was scored
 */
public record PlanPage(
    @Nullable Instant madeAt,
    @Nullable Instant from,
    @Nullable Instant until,
    int percent,
    String summary,
    List<Shortage> shortages,
    List<Shape> shapes,
    List<String> unplanned,
    String scored) {
  public PlanPage {
    shortages = List.copyOf(shortages);
    shapes = List.copyOf(shapes);
    unplanned = List.copyOf(unplanned);
  }

  /** There is no plan, for a reason. */
  public static PlanPage none(String reason) {
    return new PlanPage(null, null, null, 0, reason, List.of(), List.of(), List.of(), "");
  }

  /**
   * What may not fit, and what would help.
   *
   * @param from beginning of the first step in which more is needed than fits
   * @param until end of the last of these steps
   * @param at the step of the highest need
   * @param percent probability that more is needed than fits
   * @param askedFit how many more fit if pods are asked to leave
   * @param asks pods that can be asked to leave
   * @param nodes the nodes that the rest needs, such as {@code 1 node h100}; empty where none would
   *     help
   * @param orderBy when they have to be ordered; null where none would help
   * @param message all of it in a sentence
   */
  public record Shortage(
      Instant from,
      Instant until,
      Instant at,
      List<String> workloads,
      String shape,
      int needed,
      int fits,
      int percent,
      int askedFit,
      List<Ask> asks,
      String nodes,
      @Nullable Instant orderBy,
      String message) {
    public Shortage {
      workloads = List.copyOf(workloads);
      asks = List.copyOf(asks);
    }
  }

  /** A pod on borrowed cards, and when its notice has to begin. */
  public record Ask(String pod, Instant notice) {}

  /**
   * What all services need whose replicas ask for the same.
   *
   * @param running replicas that have their cards now
   */
  public record Shape(String shape, List<String> workloads, int running, List<Peak> peaks) {
    public Shape {
      workloads = List.copyOf(workloads);
      peaks = List.copyOf(peaks);
    }
  }

  /** The highest need within the plan with a probability of sufficing in its step, in percent. */
  public record Peak(int percent, int replicas, String cards, Instant at) {}
}
