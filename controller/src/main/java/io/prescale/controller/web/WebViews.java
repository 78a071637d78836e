package io.prescale.controller.web;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * All that the page can show.
 *
 * @param gpus empty where no cards are known
 */
public record WebViews(
    Supplier<About> about,
    WorkloadsView workloads,
    Optional<GpusView> gpus,
    ReplaysView replays,
    TomorrowView tomorrow,
    ActionsView actions) {}
