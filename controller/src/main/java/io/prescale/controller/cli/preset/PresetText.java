package io.prescale.controller.cli.preset;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.api.v1alpha1.PresetSignal;
import io.prescale.controller.cli.options.Names;
import io.prescale.controller.cli.terminal.Numbers;
import io.prescale.controller.cli.terminal.Paragraph;
import io.prescale.controller.demand.preset.CapacityProposal;
import io.prescale.controller.demand.preset.CapacityProposal.Evidence;
import io.prescale.controller.demand.preset.Preset;
import io.prescale.controller.demand.preset.PresetQuery;
import io.prescale.forecasting.CountInWords;
import io.prescale.forecasting.DurationInWords;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats presets and proposals as text, and parses the names that options give. */
public final class PresetText {
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.DOWN);

  private PresetText() {}

  public static PresetName name(String text) {
    return Names.find("preset", text, List.of(PresetName.values()), PresetName::text);
  }

  public static PresetSignal signal(String text) {
    return Names.find("signal", text, PresetSignal.class);
  }

  /** As the command line has it. */
  static String word(PresetSignal signal) {
    return signal.name().toLowerCase(Locale.ROOT);
  }

  public static List<String> list(List<Preset> presets) {
    return presets.stream()
        .map(preset -> "%-12s%s".formatted(preset.name().text(), preset.server()))
        .toList();
  }

  public static List<String> describe(
      Preset preset, PresetQuery query, String promql, int columns) {
    var lines = new ArrayList<String>();
    lines.add(promql);
    lines.add("");
    lines.addAll(Paragraph.wrapped("Server: " + preset.server() + ".", columns));
    lines.addAll(Paragraph.wrapped("Measures: " + query.measures() + ".", columns));
    lines.addAll(
        Paragraph.wrapped(
            "Unit of target.averageValue: %s carried by one replica.".formatted(query.unit()),
            columns));
    lines.addAll(Paragraph.wrapped("--model selects: " + preset.modelSelects() + ".", columns));
    lines.add("Pitfalls:");
    for (var trap : preset.traps()) {
      var wrapped = Paragraph.wrapped(trap, columns - 2);
      lines.add("- " + wrapped.getFirst());
      wrapped.stream().skip(1).forEach(line -> lines.add("  " + line));
    }
    return lines;
  }

  public static List<String> describe(CapacityProposal proposal, PresetQuery query, int columns) {
    var evidence = proposal.evidence();
    var window = DurationInWords.of(evidence.window());
    var lines = new ArrayList<String>();
    if (proposal.perReplica().isEmpty()) {
      lines.addAll(
          Paragraph.wrapped(
              "No proposal: no replica was full in the last %s. The most that a replica carried was %s %s; it may be able to carry more."
                  .formatted(
                      window, Numbers.brief(evidence.mostSeen().orElseThrow()), query.unit()),
              columns));
      return lines;
    }
    double perReplica = proposal.perReplica().getAsDouble();
    lines.addAll(
        Paragraph.wrapped(
            "One replica seems to carry %s %s; confidence: %s."
                .formatted(Numbers.brief(perReplica), query.unit(), confidence(proposal)),
            columns));
    lines.addAll(Paragraph.wrapped(seen(evidence, window), columns));
    lines.addAll(
        Paragraph.wrapped(
            "This is what full replicas carried. If full replicas respond too slowly for you,"
                + " choose a lower value.",
            columns));
    lines.add("");
    lines.add("    target:");
    lines.add("      averageValue: \"%s\"".formatted(quantity(perReplica)));
    return lines;
  }

  /** Rounded down, so that the proposal errs on the safe side. */
  public static String quantity(double perReplica) {
    return new BigDecimal(perReplica).round(THREE_DIGITS).stripTrailingZeros().toPlainString();
  }

  public static String confidence(CapacityProposal proposal) {
    return proposal.confidence().name().toLowerCase(Locale.ROOT);
  }

  private static String seen(Evidence evidence, String window) {
    return "In the last %s, work queued at %s for %s in total; while full, they carried %s to %s."
        .formatted(
            window,
            CountInWords.of(evidence.replicas(), "replica"),
            DurationInWords.of(evidence.full()),
            Numbers.brief(evidence.lowest()),
            Numbers.brief(evidence.highest()));
  }
}
