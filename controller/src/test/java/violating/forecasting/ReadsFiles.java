package violating.forecasting;

import java.nio.file.Path;

record ReadsFiles(Path file) {}
