package io.prescale.placement.topology;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Requests for 1, 2, 4 and 8 cards arrive at a pool of equal nodes of eight, stay for a while and
 * leave. A request that does not fit is dropped.
 */
final class CardChurn {
  private static final long SEED = 1;
  private static final int EVENTS = 100_000;
  private static final int[] SIZES = {1, 1, 1, 1, 2, 2, 4, 8};
  private static final double MEAN_SIZE = 20 / 8.0;

  /** Chooses a node and cards for a request. */
  @FunctionalInterface
  interface Rule {
    Optional<Taken> choose(List<CardSet> free, int count);
  }

  record Taken(int node, CardSet cards) {}

  private record Running(double end, Taken taken) {}

  /** The share of time in which a set as good as the machine's best of 4 and of 8 was free. */
  record Availability(double quad, double eight) {}

  private final LinkMatrix links;
  private final CardChoice choice;
  private final int[] bestScore = new int[9];
  private final double[] freeTime = new double[9];
  private double now;

  CardChurn(LinkMatrix links) {
    this.links = links;
    choice = new CardChoice(links);
    for (int size : new int[] {4, 8}) {
      bestScore[size] = links.score(choice.best(CardSet.first(8), size, 0).orElseThrow());
    }
  }

  /** HAMi: the fullest node on which the request fits, then its rule for cards. */
  static Rule hami(LinkMatrix links) {
    HamiRule rule = new HamiRule(links);
    return (free, count) ->
        fits(free, count).stream()
            .min(Comparator.comparingInt(node -> free.get(node).size()))
            .map(node -> new Taken(node, rule.best(free.get(node), count).orElseThrow()));
  }

  /** Prescale: of the fullest nodes, the best link score, then the least loss for later sets. */
  static Rule ours(LinkMatrix links) {
    CardChoice choice = new CardChoice(links);
    return (free, count) ->
        fits(free, count).stream()
            .map(node -> new Taken(node, choice.best(free.get(node), count, 0).orElseThrow()))
            .min(
                Comparator.comparingInt((Taken taken) -> free.get(taken.node()).size())
                    .thenComparingInt(taken -> -links.score(taken.cards()))
                    .thenComparing(taken -> loss(choice, free.get(taken.node()), taken.cards())));
  }

  private static LinkPotential loss(CardChoice choice, CardSet free, CardSet taken) {
    return choice.potential(free).minus(choice.potential(free.minus(taken)));
  }

  private static List<Integer> fits(List<CardSet> free, int count) {
    List<Integer> nodes = new ArrayList<>();
    for (int node = 0; node < free.size(); node++) {
      if (free.get(node).size() >= count) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  Availability run(Rule rule, int nodes, double load) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<CardSet> free = new ArrayList<>(Collections.nCopies(nodes, CardSet.first(8)));
    PriorityQueue<Running> running = new PriorityQueue<>(Comparator.comparingDouble(Running::end));
    double gap = MEAN_SIZE / (load * 8 * nodes);
    for (int event = 0; event < EVENTS; event++) {
      int size = SIZES[random.nextInt(SIZES.length)];
      double arrival = now + gap * exponential(random);
      double life = exponential(random);
      while (!running.isEmpty() && running.peek().end <= arrival) {
        Running ended = running.remove();
        passTo(ended.end, free);
        Taken taken = ended.taken;
        free.set(taken.node, new CardSet(free.get(taken.node).bits() | taken.cards.bits()));
      }
      passTo(arrival, free);
      rule.choose(free, size)
          .ifPresent(
              taken -> {
                free.set(taken.node, free.get(taken.node).minus(taken.cards));
                running.add(new Running(arrival + life, taken));
              });
    }
    return new Availability(freeTime[4] / now, freeTime[8] / now);
  }

  private void passTo(double time, List<CardSet> free) {
    for (int size : new int[] {4, 8}) {
      if (free.stream().anyMatch(cards -> hasBest(cards, size))) {
        freeTime[size] += time - now;
      }
    }
    now = time;
  }

  private boolean hasBest(CardSet cards, int size) {
    return choice
        .best(cards, size, 0)
        .filter(set -> links.score(set) == bestScore[size])
        .isPresent();
  }

  private static double exponential(SplittableRandom random) {
    return -StrictMath.log(1 - random.nextDouble());
  }
}
