package io.prescale.controller.cli.cluster;

import io.prescale.controller.cli.options.ExitCode;
import io.prescale.controller.cli.options.KubernetesOptions;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.serving.ApiReturn;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code prescale give-back}: the external metrics API, to the adapter that had it. */
@Command(
    name = "give-back",
    header = "Gives the external metrics API back to the adapter that had it.",
    description = {
      "",
      "With --pass-through, Prescale takes the external metrics API over from another adapter and"
          + " keeps in an annotation of the APIService what it was. This restores it in one"
          + " write. The replicas that run do not take it again; those that start later do, so"
          + " install without passing through, or remove Prescale. Uninstalling the chart does this"
          + " by itself.",
    },
    sortOptions = false,
    footer = {
      "",
      "Example:",
      "  prescale give-back --context prod",
      "      Prints the adapter that has the API again.",
    })
public final class GiveBackCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Mixin private KubernetesOptions kubernetes = new KubernetesOptions();

  /** A command that has not run yet. */
  public GiveBackCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws ClusterException, IOException, InterruptedException {
    var given = ApiReturn.in(kubernetes.access(), surroundings.clock().instant());
    surroundings
        .out()
        .println(
            switch (given) {
              case ApiReturn.To(var owner) -> owner + " serves external metrics again.";
              case ApiReturn.Removed() ->
                  "The APIService that Prescale had made is deleted; no adapter was before it.";
              case ApiReturn.Nothing() ->
                  "Nothing to give back: the APIService has no record of another adapter.";
            });
    return ExitCode.OK;
  }
}
