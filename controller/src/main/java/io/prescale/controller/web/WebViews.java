package io.prescale.controller.web;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * All that the page can show.
 *
 * @param gpus empty where no cards are known
 * @param plan empty where none is made
 */
public record WebViews(
    Supplier<About> about,
    WorkloadsView workloads,
    Optional<GpusView> gpus,
    Optional<PlanView> plan,
    ReplaysView replays,
    TomorrowView tomorrow,
    ActionsView actions) {}
