package violating.forecasting;

import violating.placement.SeesController;

record SeesPlacement(SeesController other) {}
