package io.prescale.placement.mig;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The MIG profiles of NVIDIA's cards.
 *
 * <p>Source of names, fractions and counts: NVIDIA Multi-Instance GPU User Guide, "Supported MIG
 * Profiles" (A30, A100, H100 80, 94 and 96 GB, H200, B200); of the places: {@code nvidia-smi mig
 * -lgipp} as printed there under "Getting Started with MIG" for A100 and A30, and for H100 NVL on
 * NVIDIA's technical blog. H200 and B200 have the same eight memory slices and instance counts, so
 * the same places are assumed. Cards of other kinds publish their profiles (HAMi's {@code
 * migProfiles}); build {@link MigProfile}s from that.
 */
public final class MigCards {
  public static final List<MigProfile> A30 = quarters();
  public static final List<MigProfile> A100_40GB = eighths(5, 10, 20, 40);
  public static final List<MigProfile> A100_80GB = eighths(10, 20, 40, 80);
  public static final List<MigProfile> H100_80GB = A100_80GB;
  public static final List<MigProfile> H100_94GB = eighths(12, 24, 47, 94);
  public static final List<MigProfile> H100_96GB = eighths(12, 24, 48, 96);
  public static final List<MigProfile> H200 = eighths(18, 35, 71, 141);
  public static final List<MigProfile> B200 = eighths(23, 45, 90, 180);

  private static final int MIB_OF_GB = 1024;

  private MigCards() {}

  /**
   * The profiles of a card by its product name, as in {@code NVIDIA-A100-SXM4-80GB} or {@code
   * NVIDIA H200}, and its memory, which distinguishes variants of a model.
   *
   * @return empty when the card does not support MIG or is not known here
   */
  public static List<MigProfile> of(String product, int memoryMib) {
    return Arrays.stream(product.toUpperCase(Locale.ROOT).split("[^A-Z0-9]+", -1))
        .map(word -> ofModel(word, memoryMib))
        .filter(profiles -> !profiles.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  private static List<MigProfile> ofModel(String model, int memoryMib) {
    return switch (model) {
      case "A30" -> A30;
      case "A100" -> memoryMib > 60_000 ? A100_80GB : A100_40GB;
      case "H100" -> h100(memoryMib);
      case "GH200" -> memoryMib > 110_000 ? List.of() : H100_96GB;
      case "H200" -> H200;
      case "B200" -> B200;
      default -> List.of();
    };
  }

  private static List<MigProfile> h100(int memoryMib) {
    if (memoryMib < 90_000) {
      return H100_80GB;
    }
    return memoryMib < 96_500 ? H100_94GB : H100_96GB;
  }

  private static List<MigProfile> quarters() {
    return List.of(
        new MigProfile("1g.6gb", 250, 6 * MIB_OF_GB, List.of(0, 1, 2, 3), 1, 4),
        new MigProfile("1g.6gb+me", 250, 6 * MIB_OF_GB, List.of(0, 1, 2, 3), 1, 1),
        new MigProfile("2g.12gb", 500, 12 * MIB_OF_GB, List.of(0, 2), 2, 2),
        new MigProfile("2g.12gb+me", 500, 12 * MIB_OF_GB, List.of(0, 2), 2, 1),
        new MigProfile("4g.24gb", 1000, 24 * MIB_OF_GB, List.of(0), 4, 1));
  }

  /** Cards of eight memory and seven compute slices; gigabytes of 1, 2, 4 and 8 slices. */
  private static List<MigProfile> eighths(int one, int two, int four, int eight) {
    List<MigProfile> profiles = new ArrayList<>();
    List<Integer> everywhere = List.of(0, 1, 2, 3, 4, 5, 6);
    profiles.add(sevenths(1, one, "", everywhere, 1, 7));
    profiles.add(sevenths(1, one, "+me", everywhere, 1, 1));
    profiles.add(sevenths(1, two, "", List.of(0, 2, 4, 6), 2, 4));
    profiles.add(sevenths(2, two, "", List.of(0, 2, 4), 2, 3));
    profiles.add(sevenths(3, four, "", List.of(0, 4), 4, 2));
    profiles.add(sevenths(4, four, "", List.of(0), 4, 1));
    profiles.add(sevenths(7, eight, "", List.of(0), 8, 1));
    return List.copyOf(profiles);
  }

  private static MigProfile sevenths(
      int compute, int gigabytes, String suffix, List<Integer> starts, int size, int most) {
    return new MigProfile(
        compute + "g." + gigabytes + "gb" + suffix,
        1000 * compute / 7,
        gigabytes * MIB_OF_GB,
        starts,
        size,
        most);
  }
}
