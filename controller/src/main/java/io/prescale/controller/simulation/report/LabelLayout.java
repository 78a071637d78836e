package io.prescale.controller.simulation.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Places labels near points so that no label covers another label or a point. Greedy in the order
 * of the calls; O(points²).
 */
final class LabelLayout {

  /** Left, top, right and bottom edge. */
  record Box(double left, double top, double right, double bottom) {

    static Box around(double x, double y, double radius) {
      return new Box(x - radius, y - radius, x + radius, y + radius);
    }

    boolean overlaps(Box other) {
      return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }

    boolean holds(Box other) {
      return left <= other.left
          && top <= other.top
          && right >= other.right
          && bottom >= other.bottom;
    }
  }

  /** Generous widths of letters, relative to the size of the font. */
  private static final double LETTER_WIDTH = 0.58;

  private static final double IDEOGRAPH_WIDTH = 1.05;

  /** Permitted distances between point and label, nearest first. */
  private static final double[] DISTANCES = {10, 18, 30, 44};

  private final Box bounds;
  private final double fontSize;
  private final List<Box> taken = new ArrayList<>();

  LabelLayout(Box bounds, double fontSize) {
    this.bounds = bounds;
    this.fontSize = fontSize;
  }

  /** Reserves an area that labels must not cover. */
  void keepFree(Box box) {
    taken.add(box);
  }

  /** Takes the nearest free place for a label; empty if there is none. */
  Optional<Box> place(String text, double x, double y) {
    double width = width(text);
    Optional<Box> place =
        DoubleStream.of(DISTANCES)
            .boxed()
            .flatMap(distance -> places(width, x, y, distance))
            .filter(bounds::holds)
            .filter(box -> taken.stream().noneMatch(box::overlaps))
            .findFirst();
    place.ifPresent(taken::add);
    return place;
  }

  /** Candidate places: right and left first, then above and below, then the corners. */
  private Stream<Box> places(double width, double x, double y, double distance) {
    double half = fontSize * 0.62;
    double right = x + distance;
    double left = x - distance - width;
    double above = y - distance - half;
    double below = y + distance + half;
    double aside = distance * 0.5;
    return Stream.of(
            new double[] {right, y},
            new double[] {left, y},
            new double[] {x + aside, above},
            new double[] {x + aside, below},
            new double[] {x - aside - width, above},
            new double[] {x - aside - width, below},
            new double[] {x - width / 2, above},
            new double[] {x - width / 2, below})
        .map(at -> new Box(at[0], at[1] - half, at[0] + width, at[1] + half));
  }

  private double width(String text) {
    return fontSize
        * text.codePoints()
            .mapToDouble(point -> point < 0x1100 ? LETTER_WIDTH : IDEOGRAPH_WIDTH)
            .sum();
  }
}
