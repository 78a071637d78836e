package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rights of a queue.
 *
 * <p>The API server evaluates rules even where the pattern refuses a value, and needs minutes to
 * parse a quantity with an exponent of nine digits; therefore rules look at the exponent first.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "self.kind != 'Build' || has(self.guarantee)",
    fieldPath = ".guarantee",
    message = "a Build queue has no guarantee; write one, such as 4, or kind Train")
@ValidationRule(
    value = "self.kind != 'Build' || (!has(self.limit) && !has(self.weight))",
    fieldPath = ".kind",
    message =
        "a Build queue has exactly its guarantee; remove limit and weight, or write kind Train")
@ValidationRule(
    value = "self.kind != 'Build' || !has(self.reclaim) || self.reclaim.mode == 'Off'",
    fieldPath = ".reclaim",
    message = "a Build queue borrows nothing that could be taken back; remove reclaim")
@ValidationRule(
    value = "!has(self.models) || !has(self.parent)",
    fieldPath = ".models",
    message = "a queue with a parent has cards of its parent's models; remove models")
@ValidationRule(
    value =
        "!has(self.limit) || !has(self.guarantee)"
            + " || string(self.limit).matches('[eE]....')"
            + " || string(self.guarantee).matches('[eE]....')"
            + " || !isQuantity(string(self.limit)) || !isQuantity(string(self.guarantee))"
            + " || quantity(string(self.limit)).compareTo(quantity(string(self.guarantee))) >= 0",
    fieldPath = ".limit",
    message = "limit is below guarantee; raise limit or lower guarantee")
public record GpuQueueSpec(
    @Size(min = 1, max = 63)
        @ValidationRule(
            value = "self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
            messageExpression =
                "'parent is \\'' + self + '\\', which is not a valid name; write the metadata.name"
                    + " of a GpuQueue'")
        @JsonPropertyDescription(
            "GpuQueue of which this one is a part. Only queues that are no parent hold pods.")
        @Nullable String parent,
    @Default("\"Train\"")
        @JsonPropertyDescription(
            "Train: a guaranteed amount, and by weight what others leave. Build: exactly the"
                + " guarantee, for interactive work.")
        QueueKind kind,
    @ValidationRule(
            value = CARDS,
            message =
                "guarantee is not an amount of cards from 0 to 1000000; write one such as 4 or"
                    + " 500m")
        @JsonPropertyDescription(
            "Cards that the queue gets whenever it asks, such as 4 or 500m; others may borrow what"
                + " it does not use. Of a shared card, the larger part of memory and compute"
                + " counts. The guarantees of a parent's children may not exceed its own. By"
                + " default 0.")
        @Nullable Quantity guarantee,
    @ValidationRule(
            value = CARDS,
            message =
                "limit is not an amount of cards from 0 to 1000000; write one such as 8 or 500m")
        @JsonPropertyDescription(
            "Cards that the queue never exceeds, together with its children. By default none.")
        @Nullable Quantity limit,
    @Min(0)
        @Max(1000)
        @JsonPropertyDescription(
            "Part of what others leave, in relation to the weights of the queues with the same"
                + " parent; 0 takes none of what others ask for. By default 1.")
        @Nullable Integer weight,
    @Min(-1000)
        @Max(1000)
        @JsonPropertyDescription(
            "Queues of a higher priority divide what is left before those of a lower one with the"
                + " same parent; guarantees are not affected. By default 0.")
        @Nullable Integer priority,
    @Size(min = 1, max = 20)
        @JsonPropertyDescription(
            "Parts of the names of card models, such as H100, in any case. The queue, those below"
                + " it and other queues with the same models divide the cards of these models, and"
                + " no other queue has any. By default all cards whose model no queue names.")
        List<@Size(min = 1, max = 63) @Pattern("[!-~]") String> models,
    @JsonPropertyDescription(
            "On which terms pods of the queue give back cards that other queues are owed. A"
                + " parent's own is not used.")
        @Nullable QueueReclaim reclaim) {

  private static final String CARDS =
      "type(self) == int ? self >= 0 && self <= 1000000 : !self.matches('[eE]....') &&"
          + " isQuantity(self) && !quantity(self).isLessThan(quantity('0')) &&"
          + " !quantity(self).isGreaterThan(quantity('1000000'))";

  public GpuQueueSpec {
    kind = Objects.requireNonNullElse(kind, QueueKind.Train);
    models = models == null ? List.of() : List.copyOf(models);
  }

  /** The guarantee in thousandths of a card; 0 without one, empty if it cannot be read. */
  public Optional<Long> guaranteeMilli() {
    return guarantee == null ? Optional.of(0L) : Amount.milli(guarantee.toString());
  }

  /** The limit in thousandths of a card; the given one without one, empty if it cannot be read. */
  public Optional<Long> limitMilli(long unlimited) {
    return limit == null ? Optional.of(unlimited) : Amount.milli(limit.toString());
  }
}
