package io.prescale.placement.overcommit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.placement.overcommit.BoundedRisk.Dependence;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OvercommitRuleTest {
  private static final int CARD = 80 * 1024;

  /** A notebook of 8 GiB: 1 GiB most of the time, 7 GiB in one moment of ten. */
  private static final MemoryUsage NOTEBOOK = notebook();

  private static MemoryUsage notebook() {
    return usage(8192, 1024, 7168, 0.1);
  }

  /** Low usage, or with a probability high usage. */
  private static MemoryUsage usage(int limit, int low, int high, double probability) {
    double mean = low + probability * (high - low);
    double deviation = (high - low) * Math.sqrt(probability * (1 - probability));
    return new MemoryUsage(limit, mean, deviation);
  }

  private static int most(OvercommitRule rule) {
    return IntStream.iterate(1, n -> n + 1)
            .filter(n -> !rule.admits(Collections.nCopies(n, NOTEBOOK), CARD))
            .findFirst()
            .orElseThrow()
        - 1;
  }

  @Test
  void stacksMoreTheMoreIsKnown() {
    assertThat(most(new ConstantFactor(1000))).isEqualTo(10);
    assertThat(most(new ConstantFactor(1500))).isEqualTo(15);
    assertThat(most(new BoundedRisk(1000, Dependence.ANY))).isEqualTo(10);
    assertThat(most(new BoundedRisk(200_000, Dependence.ANY))).isEqualTo(15);
    assertThat(most(new BoundedRisk(1000, Dependence.INDEPENDENT))).isEqualTo(19);
    assertThat(most(new BoundedRisk(10_000, Dependence.INDEPENDENT))).isEqualTo(25);
  }

  @Test
  void neverRefusesWhatFitsInAnyCaseAndNeverAdmitsMeansAboveTheCard() {
    BoundedRisk rule = new BoundedRisk(1, Dependence.ANY);
    MemoryUsage full = MemoryUsage.unknown(CARD / 2);

    assertThat(rule.chance(List.of(full, full), CARD)).isZero();
    assertThat(rule.chance(List.of(full, full, MemoryUsage.unknown(1)), CARD)).isOne();
    assertThat(rule.admits(List.of(), CARD)).isTrue();
    assertThat(rule.admits(List.of(), 0)).isTrue();
  }

  @Test
  void saysHowMuchACardMayPromise() {
    List<MemoryUsage> twelve = Collections.nCopies(12, NOTEBOOK);
    BoundedRisk rule = new BoundedRisk(1000, Dependence.INDEPENDENT);

    int promisable = rule.promisableMib(twelve, CARD);
    int further = promisable - 12 * 8192;

    assertThat(further).isGreaterThan(0);
    assertThat(rule.chance(with(twelve, further), CARD)).isLessThanOrEqualTo(0.001);
    assertThat(rule.chance(with(twelve, further + 1), CARD)).isGreaterThan(0.001);
    assertThat(rule.promisableMib(List.of(), CARD)).isEqualTo(CARD);
    assertThat(new ConstantFactor(1500).promisableMib(List.of(), CARD)).isEqualTo(120 * 1024);
    assertThat(rule.promisableMib(List.of(MemoryUsage.unknown(2 * CARD)), CARD))
        .isEqualTo(2 * CARD);
  }

  private static List<MemoryUsage> with(List<MemoryUsage> shares, int further) {
    return Stream.concat(shares.stream(), Stream.of(MemoryUsage.unknown(further))).toList();
  }

  /** Draws moments of random shares and counts those at which the card is too small. */
  @Test
  void theCardIsTooSmallNoMoreOftenThanPromised() {
    SplittableRandom random = new SplittableRandom(5);
    for (Dependence dependence : Dependence.values()) {
      for (int round = 0; round < 40; round++) {
        int perMillion = 2_000 + random.nextInt(80_000);
        Shares shares = Shares.random(random);
        int count = shares.most(new BoundedRisk(perMillion, dependence));

        assertThat(shares.tooLarge(count, dependence, random))
            .as("%s round %d: %d shares", dependence, round, count)
            .isLessThanOrEqualTo(perMillion / 1e6 + 0.003);
      }
    }
  }

  /** Up to sixty shares, each with two levels of usage and its own probability. */
  private record Shares(List<int[]> levels, List<MemoryUsage> usages) {
    private static final int MOMENTS = 20_000;

    static Shares random(SplittableRandom random) {
      List<int[]> levels =
          IntStream.range(0, 60)
              .mapToObj(
                  i -> {
                    int limit = 2048 + random.nextInt(14_000);
                    return new int[] {
                      limit,
                      random.nextInt(limit / 4),
                      limit / 2 + random.nextInt(limit / 2),
                      1 + random.nextInt(40)
                    };
                  })
              .toList();
      return new Shares(levels, levels.stream().map(Shares::usage).toList());
    }

    private static MemoryUsage usage(int[] level) {
      return OvercommitRuleTest.usage(level[0], level[1], level[2], level[3] / 100.0);
    }

    int most(OvercommitRule rule) {
      int count = 0;
      while (count < usages.size() && rule.admits(usages.subList(0, count + 1), CARD)) {
        count++;
      }
      return count;
    }

    /** Dependent shares are high at the same moments. */
    double tooLarge(int count, Dependence dependence, SplittableRandom random) {
      int moments = 0;
      for (int moment = 0; moment < MOMENTS; moment++) {
        long sum = 0;
        double together = random.nextDouble(100);
        for (int[] level : levels.subList(0, count)) {
          double draw = dependence == Dependence.ANY ? together : random.nextDouble(100);
          sum += draw < level[3] ? level[2] : level[1];
        }
        moments += sum > CARD ? 1 : 0;
      }
      return (double) moments / MOMENTS;
    }
  }

  @Test
  void refusesInvalidRulesAndUsages() {
    assertThatThrownBy(() -> new ConstantFactor(999)).hasMessage("a factor of 0.999; give 1 to 10");
    assertThatThrownBy(() -> new BoundedRisk(0, Dependence.ANY))
        .hasMessage("a risk of 0 %; give 0.0001 % to 50 %");
    assertThatThrownBy(() -> new MemoryUsage(0, 0, 0)).hasMessageContaining("give 1 or more");
    assertThatThrownBy(() -> new MemoryUsage(10, Double.NaN, 0))
        .hasMessageContaining("mean of NaN");
    assertThatThrownBy(() -> new MemoryUsage(10, 11, 0)).hasMessageContaining("mean of 11.0");
    assertThatThrownBy(() -> new MemoryUsage(10, 5, Double.NaN))
        .hasMessageContaining("deviation of NaN");
    assertThatThrownBy(() -> new MemoryUsage(10, 5, 6)).hasMessageContaining("deviation of 6.0");
  }
}
