package io.prescale.controller.web;

import java.util.function.Supplier;

/** All that the page can show. */
public record WebViews(
    Supplier<About> about,
    WorkloadsView workloads,
    GpusView gpus,
    ReplaysView replays,
    ActionsView actions) {}
