package violating.controller.autoscaling;

import violating.placement.inventory.TalksToCluster;

record SeesInventory(TalksToCluster other) {}
