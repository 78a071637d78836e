package io.prescale.forecasting.classic;

/**
 * The parameters of an additive Holt–Winters model, ETS(A,Ad,A), in its error correction form (FPP3
 * §8.5, with one seasonal state for each season):
 *
 * <pre>
 * error  = value - (level + phi * trend + seasonal)
 * level  = level + phi * trend + alpha * error
 * trend  = phi * trend + beta * error
 * season = season + gamma * error
 * </pre>
 *
 * @param alpha of the level, from 0 to 1
 * @param beta of the trend, from 0 to alpha; the textbook's beta* is beta / alpha
 * @param phi damping of the trend, from 0 to 1
 * @param shortGamma of the shorter season; 0 if there is none
 * @param longGamma of the longer season; 0 if there is none
 */
record Smoothing(double alpha, double beta, double phi, double shortGamma, double longGamma) {
  static final int MOST_SEASONS = 2;

  Smoothing {
    if (!(alpha >= 0 && alpha <= 1)
        || !(beta >= 0 && beta <= alpha)
        || !(phi >= 0 && phi <= 1)
        || !(shortGamma >= 0 && shortGamma <= 1)
        || !(longGamma >= 0 && longGamma <= 1)) {
      throw new IllegalArgumentException(
          "smoothing out of range: alpha %s, beta %s, phi %s, gamma %s and %s"
              .formatted(alpha, beta, phi, shortGamma, longGamma));
    }
  }

  double gamma(int season) {
    return season == 0 ? shortGamma : longGamma;
  }

  /** phi + phi^2 + ... + phi^steps: by how many trends the level moves in so many steps. */
  double damped(int steps) {
    return phi == 1 ? steps : phi * (1 - Math.pow(phi, steps)) / (1 - phi);
  }
}
