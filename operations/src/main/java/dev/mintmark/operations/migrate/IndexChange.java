package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.migrate.SwitchAction.Stage;
import java.util.Collections;
import java.util.Map;

/**
 * The indexes of a table whose key changes its type: each gets a twin on the new columns, which
 * takes its name and its constraint at the switch.
 */
final class IndexChange {
  private final KeyChanges changes;
  private final LiveTable table;
  private final SwitchScript atSwitch;
  private final PlanDraft draft;

  IndexChange(KeyChanges changes, LiveTable table, SwitchScript atSwitch, PlanDraft draft) {
    this.changes = changes;
    this.table = table;
    this.atSwitch = atSwitch;
    this.draft = draft;
  }

  /** Adds the steps, and what the switch has to do. */
  void plan() {
    Map<String, String> next = changes.next(table);
    for (Index index : table.indexes()) {
      if (!Collections.disjoint(index.uses(), next.keySet())) {
        twin(index, next);
        clustered(index);
        index
            .constraint()
            .ifPresentOrElse(constraint -> moveKey(index, constraint), () -> rename(index));
      }
    }
  }

  private void twin(Index index, Map<String, String> next) {
    create(ShadowName.next(index.name()), index, Definition.of(index).indexed(next));
    if (index.constraint().isPresent()) {
      // The index of a constraint is dropped with it, and the old key must still find rows and keep
      // them unique.
      create(ShadowName.previous(index.name()), index, Definition.of(index).indexed(Map.of()));
    }
  }

  private void create(String name, Index like, Definition definition) {
    long bytes = table.rows() * (like.columns().size() * 16L + 16) * 11 / 10;
    Definition placed =
        like.tablespace().map(place -> definition.inTablespace(place.quoted())).orElse(definition);
    draft.add(PlanDraft.createIndex(table, name, like.unique(), placed.toString(), bytes));
  }

  private void clustered(Index index) {
    if (index.clustered()) {
      // Undone when the old index has its name again.
      String cluster = Ddl.cluster(table.quoted(), index.name());
      atSwitch.add(Stage.DROP_KEYS, Ddl.wayBack(cluster));
      atSwitch.add(Stage.DESCRIBE, Ddl.oneWay(cluster));
    }
  }

  private void rename(Index index) {
    String schema = table.schema();
    String name = index.name();
    atSwitch.add(Stage.RENAME_OBJECTS, Ddl.renameIndex(schema, name, ShadowName.previous(name)));
    atSwitch.add(Stage.RENAME_OBJECTS, Ddl.renameIndex(schema, ShadowName.next(name), name));
  }

  private void moveKey(Index index, Index.Constraint constraint) {
    Ddl before = Ddl.addKey(table.quoted(), constraint, ShadowName.previous(index.name()));
    Ddl after = Ddl.addKey(table.quoted(), constraint, ShadowName.next(index.name()));
    atSwitch.add(Stage.DROP_KEYS, before.inverse());
    atSwitch.add(Stage.ADD_KEYS, after);
  }
}
