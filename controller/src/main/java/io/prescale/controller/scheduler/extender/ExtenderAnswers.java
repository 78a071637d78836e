package io.prescale.controller.scheduler.extender;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What the endpoints of an extender answer with. */
public record ExtenderAnswers(
    ExtenderApi api,
    ExtenderMetrics metrics,
    BooleanSupplier isReady,
    Supplier<Map<String, List<String>>> problems,
    CardPages cards) {}
