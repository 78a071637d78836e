package io.prescale.controller.cli.place;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.cli.terminal.JsonText;
import io.prescale.controller.cli.terminal.OutputFiles;
import io.prescale.controller.cli.terminal.Surroundings;
import io.prescale.controller.cli.terminal.TextTable;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.input.InputException;
import io.prescale.controller.input.InputException.Fault;
import io.prescale.controller.scheduler.moves.MovePreview;
import io.prescale.controller.scheduler.moves.MovePreview.Moving;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.controller.scheduler.reclaim.ReclaimPreview.Leaving;
import io.prescale.controller.scheduler.whatif.Manifest;
import io.prescale.controller.scheduler.whatif.Trial;
import io.prescale.controller.scheduler.whatif.Trial.NoGpu;
import io.prescale.controller.scheduler.whatif.Trial.Outcome;
import io.prescale.controller.scheduler.whatif.Trial.Placed;
import io.prescale.controller.scheduler.whatif.Trial.Preempts;
import io.prescale.controller.scheduler.whatif.Trial.Waits;
import io.prescale.placement.ledger.QueueState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** {@code prescale place --manifest}: what a running or a saved cluster would do with new pods. */
record ClusterPlacement(ClusterInputs inputs, Surroundings surroundings, OutputFiles files) {
  private static final double MILLI = 1000;

  void run(boolean asJson)
      throws ClusterException,
          IOException,
          InputException,
          InterruptedException,
          OutputFiles.NotWritable {
    var objects = new ObjectsFile(inputs.manifest()).read();
    var cluster = cluster().as(inputs.reading());
    var save = inputs.save;
    if (save != null) {
      files.write(save, surroundings.out(), out -> out.append(cluster.json()).append('\n'));
      files.publish();
    }
    var now = surroundings.clock().instant();
    var namespace = inputs.namespace();
    var manifest = readable(inputs.manifest(), () -> Manifest.of(objects, namespace, cluster, now));
    var saved = inputs.snapshot;
    var ledger = saved == null ? cluster.ledger() : readable(saved, cluster::ledger);
    var trial = Trial.withPreemption(cluster, ledger, manifest.pods(), now);
    var moves = MovePreview.of(ledger.moveFacts(), cluster.of(Pod.class), cluster.admission(), now);
    if (asJson) {
      JsonText.print(json(trial, moves, manifest), surroundings.out());
    } else {
      lines(trial, moves, manifest).forEach(surroundings.out()::println);
    }
  }

  private ClusterObjects cluster()
      throws ClusterException, IOException, InputException, InterruptedException {
    if (inputs.snapshot == null) {
      return inputs
          .kubernetes
          .access()
          .work(it -> ClusterObjects.readAll(it, inputs.queueSystems()));
    }
    return new ClusterObjects(
        Files.isDirectory(inputs.snapshot)
            ? new ObjectsFolder(inputs.snapshot, surroundings::report).read()
            : new ObjectsFile(inputs.snapshot).read());
  }

  /** Reads a file's objects, which no API server has checked. */
  private static <T> T readable(Path file, Supplier<T> reading) throws InputException {
    try {
      return reading.get();
    } catch (NumberFormatException e) {
      throw new InputException(
          Fault.UNUSABLE,
          "%s: an amount of a resource is no quantity; write one such as 1, 500m or 4Gi."
              .formatted(file),
          e);
    } catch (IllegalArgumentException e) {
      throw new InputException(Fault.UNUSABLE, "%s: %s.".formatted(file, e.getMessage()), e);
    } catch (NullPointerException e) {
      throw new InputException(
          Fault.UNUSABLE,
          "%s: an object lacks what the API server insists on, such as a spec or a uid."
              .formatted(file),
          e);
    }
  }

  private static List<String> lines(
      Trial trial, Map<String, List<Moving>> moves, Manifest manifest) {
    var lines = new ArrayList<String>();
    int all = trial.pods().size();
    long waiting = trial.pods().stream().filter(it -> it.outcome() instanceof Waits).count();
    long preempting = trial.pods().stream().filter(it -> it.outcome() instanceof Preempts).count();
    lines.add(
        "%,d of %,d pods would be bound, %s%,d would wait."
            .formatted(
                all - waiting - preempting,
                all,
                preempting == 0 ? "" : "%,d would preempt others, ".formatted(preempting),
                waiting));
    if (!manifest.passedOver().isEmpty()) {
      lines.add("Passed over: %s.".formatted(String.join(", ", manifest.passedOver())));
    }
    lines.add("");
    var table = new TextTable(List.of("", ""), List.of("pod", "where"));
    for (var result : trial.pods()) {
      var moving = moves.getOrDefault(result.pod(), List.of());
      table.row(List.of(result.pod(), words(result.outcome()) + words(moving)));
    }
    lines.addAll(table.lines());
    trial.queues().forEach(queue -> lines.add(words(queue)));
    return lines;
  }

  private static String words(Outcome outcome) {
    return switch (outcome) {
      case NoGpu _ -> "anywhere: it asks for no GPU";
      case Preempts(var pods, var then) ->
          "preempts %s, then %s".formatted(String.join(", ", pods), words(then));
      case Waits(var reason, var asked) when asked.isEmpty() -> "waits: " + reason;
      case Waits(var reason, var asked) ->
          "waits: %s; %s could be asked to leave"
              .formatted(
                  reason, asked.stream().map(Leaving::pod).collect(Collectors.joining(", ")));
      case Placed(var node, var cards) when cards.isEmpty() ->
          node + ", cards of the kubelet's choice";
      case Placed(var node, var cards) ->
          "%s, %s"
              .formatted(
                  node,
                  cards.stream()
                      .map(part -> "%s (%s)".formatted(part.card(), cards(part.milli())))
                      .collect(Collectors.joining(", ")));
    };
  }

  private static String words(List<Moving> moves) {
    return moves.isEmpty()
        ? ""
        : moves.stream()
            .map(it -> "%s moved to %s".formatted(it.pod(), it.to()))
            .collect(Collectors.joining(" and ", "; it would fit if ", ""));
  }

  private static String words(QueueState queue) {
    return "Queue %s has %s of %s guaranteed cards and is owed %s; %,d %s."
        .formatted(
            queue.name(),
            cards(queue.usedMilli()),
            cards(queue.quota().guaranteed()),
            cards(queue.owedMilli()),
            queue.waiting(),
            queue.waiting() == 1 ? "pod waits" : "pods wait");
  }

  private static String cards(long milli) {
    return milli % MILLI == 0 ? "%,.0f".formatted(milli / MILLI) : "%,.3f".formatted(milli / MILLI);
  }

  private static ObjectNode json(Trial trial, Map<String, List<Moving>> moves, Manifest manifest) {
    var json = PlaceJson.document("prescale-place-cluster");
    var pods = json.putArray("pods");
    for (var result : trial.pods()) {
      var pod = pods.addObject().put("pod", result.pod());
      add(result.outcome(), pod);
      for (var move : moves.getOrDefault(result.pod(), List.of())) {
        pod.withArray("moves")
            .addObject()
            .put("pod", move.pod())
            .put("from", move.from())
            .put("to", move.to());
      }
    }
    var queues = json.putArray("queues");
    for (var queue : trial.queues()) {
      queues
          .addObject()
          .put("queue", queue.name())
          .put("used_milli", queue.usedMilli())
          .put("guaranteed_milli", queue.quota().guaranteed())
          .put("owed_milli", queue.owedMilli())
          .put("waiting", queue.waiting());
    }
    manifest.passedOver().forEach(json.putArray("passed_over")::add);
    return json;
  }

  private static void add(Outcome outcome, ObjectNode json) {
    switch (outcome) {
      case NoGpu _ -> json.put("outcome", "no_gpu");
      case Preempts(var pods, var then) -> {
        add(then, json);
        json.put("outcome", "preempts");
        pods.forEach(json.withArray("preempted")::add);
      }
      case Waits(var reason, var asked) -> {
        json.put("outcome", "waits").put("reason", reason);
        asked.forEach(it -> json.withArray("asked").add(it.pod()));
      }
      case Placed(var node, var cards) -> {
        json.put("outcome", "bound").put("node", node);
        var parts = json.putArray("cards");
        cards.forEach(it -> parts.addObject().put("card", it.card()).put("milli", it.milli()));
      }
    }
  }
}
