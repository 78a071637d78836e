package io.prescale.placement.inventory;

import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuHealth;
import io.prescale.placement.cluster.Partitioning;
import io.prescale.placement.mig.MigProfile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One card as it is registered, before it is checked.
 *
 * @param count how many may share it
 * @param cores percent of a card's compute; above 100 when it is over-allocated
 * @param numa its NUMA node; empty when the registration has none, or nothing that is a number
 * @param mode {@code hami-core}, {@code mig}, {@code mps} or empty
 */
record CardEntry(
    String uuid,
    long count,
    long memoryMib,
    long cores,
    String type,
    OptionalInt numa,
    String mode,
    List<MigProfile> migProfiles,
    boolean healthy) {
  /** The ways in which a card is divided, by HAMi's names. */
  static final Map<String, Partitioning> MODES =
      Map.of(
          "hami-core", Partitioning.HAMI_CORE,
          "mig", Partitioning.MIG_BY_SIZE,
          "mps", Partitioning.MPS);

  private static final int MILLI_PER_PERCENT = 10;
  private static final int MOST_SHARERS = 10_000;

  /** More than any card has, in percent of a card. */
  static final int MOST_CORES = 100_000;

  private static final int LONGEST_NAME = 253;

  /** Why the entry cannot be used; empty when it can. */
  Optional<String> problem() {
    if (!isName(uuid)) {
      return Optional.of(
          "the UUID is " + Text.quoted(uuid) + "; give one without , : ; quotes and spaces");
    }
    if (type.isBlank() || type.length() > LONGEST_NAME) {
      return Optional.of("the type is " + Text.quoted(type) + "; give the model of the card");
    }
    if (count < 1 || count > MOST_SHARERS) {
      return Optional.of("count is %d; give 1 to %d".formatted(count, MOST_SHARERS));
    }
    if (memoryMib < 1 || memoryMib > Gpu.MOST_MEMORY_MIB) {
      return Optional.of(
          "the memory is %d MiB; give 1 to %d".formatted(memoryMib, Gpu.MOST_MEMORY_MIB));
    }
    if (cores < 1 || cores > MOST_CORES) {
      return Optional.of("cores is %d; give 1 to %d".formatted(cores, MOST_CORES));
    }
    if (partitioning().isEmpty()) {
      return Optional.of("the mode is %s; give hami-core, mig or mps".formatted(Text.quoted(mode)));
    }
    return partitioning().get().isMig() && migProfiles.isEmpty()
        ? Optional.of(
            "the mode is mig and there are no migProfiles; they are registered by HAMi 2.10 or"
                + " later")
        : Optional.empty();
  }

  /** Separators would end up in the annotations of pods. */
  private static boolean isName(String text) {
    return !text.isBlank()
        && text.length() <= LONGEST_NAME
        && text.chars().allMatch(c -> c > ' ' && c < 0x7f && ",:;\"\\".indexOf(c) < 0);
  }

  /** The card; only for an entry without a problem. */
  Gpu card(String vendor) {
    return new Gpu(
        uuid,
        vendor,
        type,
        (int) memoryMib,
        (int) cores * MILLI_PER_PERCENT,
        partitioning().orElseThrow(),
        (int) count,
        migProfiles,
        healthy ? GpuHealth.UNKNOWN : GpuHealth.UNKNOWN.withState(GpuHealth.State.UNHEALTHY));
  }

  /** HAMi's other vendors leave the mode out. */
  private Optional<Partitioning> partitioning() {
    return mode.isEmpty()
        ? Optional.of(Partitioning.HAMI_CORE)
        : Optional.ofNullable(MODES.get(mode));
  }
}
