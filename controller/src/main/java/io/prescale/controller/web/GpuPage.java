package io.prescale.controller.web;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Nodes, cards and the newest placements. Amounts are in thousandths of a card.
 *
 * @param matching nodes that the filter lets through
 * @param nodes a page of those
 * @param decisions the newest first
 * @param room of the whole cluster; absent from earlier extenders
 * @param queues by name; absent from earlier extenders
 * @param notices those that run out first
 * @param steps of taking back, the newest first; absent from earlier extenders
 * @param moves under way, planned, and the last ones made
 * @param course of the last day; absent from earlier extenders
 */
public record GpuPage(
    Totals totals,
    int matching,
    int offset,
    List<Node> nodes,
    List<Decision> decisions,
    List<Room> room,
    List<Queue> queues,
    List<Notice> notices,
    List<Step> steps,
    List<Move> moves,
    Course course) {
  /** Where an extender has it; parameters are those of {@link GpusView.Query}. */
  public static final String PATH = "/cards";

  public GpuPage {
    nodes = List.copyOf(nodes);
    decisions = List.copyOf(decisions);
    room = List.copyOf(Objects.requireNonNullElse(room, List.of()));
    queues = List.copyOf(Objects.requireNonNullElse(queues, List.of()));
    notices = List.copyOf(Objects.requireNonNullElse(notices, List.of()));
    steps = List.copyOf(Objects.requireNonNullElse(steps, List.of()));
    moves = List.copyOf(Objects.requireNonNullElse(moves, List.of()));
    course = Objects.requireNonNullElse(course, Course.NONE);
  }

  /** The same page with the queues, what is taken back from them, moves, and what queues held. */
  public GpuPage with(
      List<Queue> newQueues,
      List<Notice> newNotices,
      List<Step> newSteps,
      List<Move> newMoves,
      Course newCourse) {
    return new GpuPage(
        totals,
        matching,
        offset,
        nodes,
        decisions,
        room,
        newQueues,
        newNotices,
        newSteps,
        newMoves,
        newCourse);
  }

  /** The page as JSON, as an extender answers with it at {@link #PATH}. */
  public String json() {
    try {
      return Json.MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a page of cards cannot be written", e);
    }
  }

  /**
   * Reads it back; fields of later versions are passed by, texts and times have to be there.
   *
   * @throws IOException with a sentence, if it is none
   */
  public static GpuPage read(byte[] json) throws IOException {
    return Json.read(GpuPage.class, json);
  }

  /**
   * The whole cluster.
   *
   * @param allocatedMilli promised to pods
   * @param usedMilli kept busy by them, of the cards of which that is known
   * @param measuredCards of which it is known how busy they are
   * @param fragmentMilli idle and of no use to the workloads that there are
   * @param unplaced pods that no node has room for
   */
  public record Totals(
      int nodes,
      int cards,
      int sickCards,
      long allocatedMilli,
      long usedMilli,
      int measuredCards,
      long fragmentMilli,
      int unplaced) {}

  /**
   * A node.
   *
   * @param links how its cards are linked, in words
   * @param pairs the nearest link of each pair of cards, row by row: nv, switch, bridge, numa or
   *     far; empty when it is not known
   * @param problems what of it is left out, a sentence each
   * @param room what would still fit
   */
  public record Node(
      String name,
      String model,
      String links,
      List<List<String>> pairs,
      long fragmentMilli,
      List<Card> cards,
      List<String> problems,
      List<Room> room) {
    public Node {
      pairs = pairs.stream().map(List::copyOf).toList();
      cards = List.copyOf(cards);
      problems = List.copyOf(problems);
      room = List.copyOf(Objects.requireNonNullElse(room, List.of()));
    }
  }

  /**
   * A card.
   *
   * @param usedMilli null when its utilisation is not known
   */
  public record Card(
      int index,
      String uuid,
      int memoryMib,
      int allocatedMilli,
      int allocatedMib,
      @Nullable Integer usedMilli,
      String health,
      String trouble,
      List<Share> shares) {
    public Card {
      shares = List.copyOf(shares);
    }
  }

  /** How many more replicas of a kind would fit if only that kind came. */
  public record Room(String kind, int replicas) {}

  /** What a pod has of a card. */
  public record Share(String pod, String workload, int milli, int mib, boolean ready) {}

  /** What became of a pod; {@code node} is empty when no node has room. */
  public record Decision(Instant at, String pod, String node, String reason) {}

  /**
   * A queue; a parent has what its children have together.
   *
   * @param parent empty for a queue without one
   * @param limitMilli null without a limit
   * @param owedMilli what it should have, given what all queues ask for
   * @param waiting pods that hold nothing yet
   * @param waitingSince when the oldest of them was created; null when none waits
   * @param fault why it is not in force as it is written; empty when it is
   */
  public record Queue(
      String name,
      String parent,
      long guaranteeMilli,
      @Nullable Long limitMilli,
      long usedMilli,
      long owedMilli,
      int waiting,
      @JsonSetter(nulls = Nulls.SET) @Nullable Instant waitingSince,
      String fault) {}

  /**
   * A pod that is to give its cards back.
   *
   * @param until when its notice has run out
   * @param claim the pod or gang that needs them
   */
  public record Notice(String pod, String queue, Instant until, String claim) {}

  /**
   * What was done to take cards back, or waits.
   *
   * @param object the kind and name of what it was done to
   * @param sentence what and why
   */
  public record Step(Instant at, String object, String sentence) {}

  /**
   * The cards that queues without a parent held.
   *
   * @param time in seconds since 1970, in equal steps
   * @param marks the notices that were given, the oldest first
   */
  public record Course(List<Long> time, List<Line> lines, List<Mark> marks) {
    /** Nothing is known. */
    public static final Course NONE = new Course(List.of(), List.of(), List.of());

    public Course {
      time = List.copyOf(time);
      lines = List.copyOf(lines);
      marks = List.copyOf(marks);
      int points = time.size();
      if (lines.stream().anyMatch(it -> it.usedMilli().size() != points)) {
        throw new IllegalArgumentException("each line must have a value for each time: " + points);
      }
    }
  }

  /**
   * What a queue held at each time of a course.
   *
   * @param usedMilli null where it is not known
   */
  public record Line(String queue, List<@Nullable Long> usedMilli) {
    public Line {
      usedMilli = Collections.unmodifiableList(new ArrayList<>(usedMilli));
    }
  }

  /**
   * The move of a pod.
   *
   * @param from its node; empty if that is not known any more
   * @param reason why, as the end of a sentence
   * @param state planned, noticed, leaving, made or missed
   * @param at when it begins, began or was over
   */
  public record Move(String pod, String from, String to, String reason, String state, Instant at) {}
}
