package io.prescale.placement.moves;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** What a round has decided so far. */
final class Draft {
  final List<MoveStep> steps = new ArrayList<>();
  final List<KeptPlace> kept = new ArrayList<>();
  Course course;

  private final MoveView view;
  private Optional<Ground> ground = Optional.empty();

  Draft(MoveView view) {
    this.view = view;
    course = view.course();
  }

  /** The ground, which is only made where something is to move. */
  Ground ground() {
    var known = ground.orElseGet(() -> new Ground(view));
    ground = Optional.of(known);
    return known;
  }

  /** A card that is booked for a replacement is kept for nothing else. */
  List<KeptPlace> keptOnce() {
    var booked = new HashSet<String>();
    kept.stream().filter(it -> it.kin().isPresent()).forEach(it -> booked.addAll(it.uuids()));
    return kept.stream()
        .map(it -> it.kin().isPresent() ? it : it.without(booked))
        .filter(it -> !it.uuids().isEmpty())
        .toList();
  }
}
