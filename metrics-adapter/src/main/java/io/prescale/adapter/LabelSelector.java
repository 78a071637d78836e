package io.prescale.adapter;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A conjunction of requirements on labels, as Kubernetes writes it: {@code a=b,c in (d,e),!f}.
 *
 * @param requirements all of them must hold; without any, everything is selected
 */
public record LabelSelector(List<LabelRequirement> requirements) {
  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  /** Selects everything, as an absent selector does. */
  public static LabelSelector everything() {
    return new LabelSelector(List.of());
  }

  /** Selects what has a label with this value. */
  public static LabelSelector with(String label, String value) {
    return new LabelSelector(
        List.of(
            new LabelRequirement(
                label, LabelRequirement.Operator.EQUALS, new TreeSet<>(Set.of(value)))));
  }

  /**
   * Parses a selector by the grammar of {@code k8s.io/apimachinery/pkg/labels}.
   *
   * @throws SelectorException with that parser's message if {@code text} is not a selector
   */
  public static LabelSelector parse(String text) throws SelectorException {
    return new LabelSelector(new SelectorParser(text).parse());
  }

  public boolean matches(Map<String, String> labels) {
    return requirements.stream().allMatch(requirement -> requirement.matches(labels));
  }

  @Override
  public String toString() {
    return requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
  }
}
