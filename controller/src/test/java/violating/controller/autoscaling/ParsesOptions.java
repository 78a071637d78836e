package violating.controller.autoscaling;

import picocli.CommandLine;

record ParsesOptions(CommandLine commandLine) {}
