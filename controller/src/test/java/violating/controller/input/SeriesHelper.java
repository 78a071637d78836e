package violating.controller.input;

record SeriesHelper(String name) {}
