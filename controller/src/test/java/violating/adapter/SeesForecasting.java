package violating.adapter;

import violating.forecasting.WritesJson;

record SeesForecasting(WritesJson other) {}
