package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Sequence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the switch does: actions in the order of their stages, and within a stage in the order in
 * which they were added. Rollback undoes them in the opposite order. For one thread.
 */
final class SwitchScript {
  private final Set<LiveTable> tables = new LinkedHashSet<>();
  private final Map<String, TableLock.Mode> sequences = new LinkedHashMap<>();
  private final List<SwitchAction> actions = new ArrayList<>();

  void add(SwitchAction.Stage stage, Ddl ddl) {
    actions.add(new SwitchAction(stage, ddl));
  }

  /** Adds a table that the switch locks. */
  void lock(LiveTable table) {
    tables.add(table);
  }

  /** Returns the tables that the switch locks, in the order in which they were added. */
  Set<LiveTable> tables() {
    return Collections.unmodifiableSet(tables);
  }

  /** Adds a sequence that the switch locks after the tables. */
  void lock(Sequence sequence, TableLock.Mode mode) {
    sequences.put(sequence.relation().shown(), mode);
  }

  /** Returns the sequences that the switch locks, by their names. */
  Map<String, TableLock.Mode> sequences() {
    return Collections.unmodifiableMap(sequences);
  }

  private List<SwitchAction> ordered() {
    List<SwitchAction> ordered = new ArrayList<>(actions);
    ordered.sort(Comparator.comparing(SwitchAction::stage));
    return ordered;
  }

  List<String> apply() {
    return ordered().stream().flatMap(action -> action.ddl().apply().stream()).toList();
  }

  List<String> undo() {
    List<SwitchAction> reversed = ordered();
    Collections.reverse(reversed);
    return reversed.stream().flatMap(action -> action.ddl().undo().stream()).toList();
  }
}
