package io.prescale.placement.moves;

import io.prescale.placement.cluster.RequestShape;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A pod that has cards.
 *
 * @param kin equal for pods that replace each other, as those of one ReplicaSet
 * @param shape what it asks for
 * @param gang of which it is a member
 * @param mayMove whether its rules permit to move it now
 * @param isLeaving whether it is being deleted
 * @param grace the length of its notice
 * @param notice that it has
 * @param created by the API server's clock
 */
public record Resident(
    String uid,
    String kin,
    RequestShape shape,
    Optional<String> gang,
    boolean mayMove,
    boolean isLeaving,
    Duration grace,
    Optional<MoveNotice> notice,
    Instant created) {}
