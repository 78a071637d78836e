package io.prescale.controller.simulation.replay;

import java.time.Duration;
import java.util.SplittableRandom;

/** Time from the HPA's decision to create a replica until that replica serves. */
public sealed interface ColdStart {

  /** The time that a forecast should look ahead: what nine replicas in ten keep to. */
  Duration planned();

  /** The time that one replica takes. */
  Duration draw(SplittableRandom random);

  /** Every replica takes the same time. */
  record Constant(Duration duration) implements ColdStart {
    public Constant {
      if (duration.isNegative()) {
        throw new IllegalArgumentException("cold start " + duration);
      }
    }

    @Override
    public Duration planned() {
      return duration;
    }

    @Override
    public Duration draw(SplittableRandom random) {
      return duration;
    }
  }

  /** Evenly spread; the two percentiles fix the ends of the range, of which the lower is ≥ 0. */
  record Uniform(Duration p50, Duration p90) implements ColdStart {
    public Uniform {
      requireOrdered(p50, p90);
    }

    @Override
    public Duration planned() {
      return p90;
    }

    @Override
    public Duration draw(SplittableRandom random) {
      double middle = p50.toNanos();
      double width = (p90.toNanos() - middle) / 0.4;
      return Duration.ofNanos((long) Math.max(0, middle + (random.nextDouble() - 0.5) * width));
    }
  }

  /** Most near the median, a few much later: image pulls and full nodes. */
  record LogNormal(Duration p50, Duration p90) implements ColdStart {
    /** 90th percentile of the standard normal distribution. */
    private static final double Z90 = 1.2815515655446004;

    public LogNormal {
      requireOrdered(p50, p90);
      if (p50.isZero()) {
        throw new IllegalArgumentException("a log-normal cold start needs a median above 0");
      }
    }

    @Override
    public Duration planned() {
      return p90;
    }

    @Override
    public Duration draw(SplittableRandom random) {
      double sigma = Math.log((double) p90.toNanos() / p50.toNanos()) / Z90;
      return Duration.ofNanos((long) (p50.toNanos() * Math.exp(sigma * random.nextGaussian())));
    }
  }

  private static void requireOrdered(Duration p50, Duration p90) {
    if (p50.isNegative() || p90.compareTo(p50) < 0) {
      throw new IllegalArgumentException("cold start P50 " + p50 + ", P90 " + p90);
    }
  }
}
