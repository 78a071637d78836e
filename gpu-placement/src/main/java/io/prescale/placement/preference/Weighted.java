package io.prescale.placement.preference;

import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.RequestShape;
import java.util.List;
import java.util.stream.Collectors;

/** Trades several preferences against each other by the weighted sum of their costs. */
public record Weighted(List<Term> terms) implements Preference {

  /**
   * A preference and its weight.
   *
   * @param weight at least 1
   */
  public record Term(Preference preference, long weight) {
    public Term {
      if (weight < 1) {
        throw new IllegalArgumentException(
            "the weight of %s is %d; give at least 1".formatted(preference.name(), weight));
      }
    }
  }

  public Weighted {
    terms = List.copyOf(terms);
    if (terms.isEmpty()) {
      throw new IllegalArgumentException("a weighted preference has at least one term");
    }
  }

  @Override
  public String name() {
    return terms.stream()
        .map(term -> term.weight() + " × " + term.preference().name())
        .collect(Collectors.joining(" + "));
  }

  @Override
  public String inWords(long cost) {
    return "%d in sum".formatted(cost);
  }

  @Override
  public Costs on(GpuNode node, RequestShape shape) {
    var costs = terms.stream().map(term -> term.preference().on(node, shape)).toList();
    return cards -> {
      long sum = 0;
      for (int i = 0; i < terms.size(); i++) {
        sum += terms.get(i).weight() * costs.get(i).of(cards);
      }
      return sum;
    };
  }
}
