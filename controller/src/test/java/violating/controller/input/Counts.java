package violating.controller.input;

final class Counts {
  static int count;

  private Counts() {}
}
