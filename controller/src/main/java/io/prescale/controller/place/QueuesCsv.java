package io.prescale.controller.place;

import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.CsvTable;
import io.prescale.controller.input.Excerpt;
import io.prescale.controller.input.InputException;
import io.prescale.controller.input.InputException.Fault;
import io.prescale.placement.queue.Queue;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.QueueTree;
import io.prescale.placement.queue.Quota;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The queues of a cluster in CSV, one row each, a parent before its children. */
public final class QueuesCsv {
  static final List<String> REQUIRED = List.of("name");
  static final List<String> KNOWN =
      List.of(
          "name",
          "parent",
          "guaranteed_milli",
          "reserved_milli",
          "limit_milli",
          "weight",
          "priority");

  private QueuesCsv() {}

  /** Reads every row; amounts that contradict each other are refused. */
  public static QueueTree read(CsvFile file) throws InputException, InterruptedException {
    var rows = file.read(QueuesCsv::rows);
    try {
      return QueueTree.ofEntries(rows.values());
    } catch (IllegalArgumentException e) {
      throw new InputException(Fault.UNUSABLE, file.name() + ": " + e.getMessage() + ".", e);
    }
  }

  private static SequencedMap<String, QueueEntry> rows(CsvTable table)
      throws InputException, IOException, InterruptedException {
    var header = table.readHeader(String.join(",", KNOWN));
    var columns = new Columns(table, header, KNOWN, REQUIRED);
    var rows = new LinkedHashMap<String, QueueEntry>();
    while (table.next()) {
      var row = row(columns);
      if (row.parent().isPresent() && !rows.containsKey(row.parent().get())) {
        throw columns.problem(
            "parent",
            "no row above is named %s; put a parent before its children"
                .formatted(Excerpt.quoted(row.parent().get())));
      }
      if (rows.putIfAbsent(row.name(), row) != null) {
        throw columns.problem(
            "name", "%s is used above already".formatted(Excerpt.quoted(row.name())));
      }
    }
    return rows;
  }

  private static QueueEntry row(Columns row) throws InputException {
    long guaranteed = row.optionalLong("guaranteed_milli", 0, Quota.UNLIMITED).orElse(0);
    long reserved = row.optionalLong("reserved_milli", 0, guaranteed).orElse(0);
    long limit =
        row.optionalLong("limit_milli", guaranteed, Quota.UNLIMITED).orElse(Quota.UNLIMITED);
    int weight = row.optionalWhole("weight", 0, Quota.HIGHEST_WEIGHT).orElse(1);
    int priority = row.optionalWhole("priority", Integer.MIN_VALUE, Integer.MAX_VALUE).orElse(0);
    return new QueueEntry(
        row.text("name"),
        row.optionalText("parent"),
        new Quota(guaranteed, reserved, limit, weight, priority));
  }

  /**
   * Refuses pods of queues that do not exist or have children.
   *
   * @param podsName what messages call the file of the pods
   */
  public static void requireQueues(QueueTree tree, List<PodRow> pods, String podsName)
      throws InputException {
    var leaves =
        tree.queues().stream()
            .filter(queue -> queue.children().isEmpty())
            .map(Queue::name)
            .collect(Collectors.toCollection(TreeSet::new));
    for (var pod : pods) {
      var queue = pod.request().standing().queue();
      if (!leaves.contains(queue)) {
        throw new InputException(
            Fault.UNUSABLE,
            "%s: pod %s is of queue %s; the queues that can hold pods are %s."
                .formatted(
                    podsName,
                    Excerpt.quoted(pod.request().name()),
                    Excerpt.quoted(queue),
                    String.join(", ", leaves)));
      }
    }
  }
}
