package violating.adapter;

import picocli.CommandLine;

record ParsesOptions(CommandLine commandLine) {}
