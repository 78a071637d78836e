package io.prescale.controller.scheduler.extender;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the endpoints of an extender answer with.
 *
 * @param whyNotReady empty when it answers kube-scheduler
 */
public record ExtenderAnswers(
    ExtenderApi api,
    ExtenderMetrics metrics,
    Supplier<Optional<String>> whyNotReady,
    Supplier<Map<String, List<String>>> problems,
    CardPages cards) {}
