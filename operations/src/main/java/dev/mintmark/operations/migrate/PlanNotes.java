package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Names;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The notes of a plan on code that uses the tables while their columns change. */
final class PlanNotes {
  private PlanNotes() {}

  /** Adds the notes on keys that get another type. */
  static void add(KeyChanges changes, PlanDraft draft) throws SQLException {
    String tables = Names.shortened(changes.tables().stream().map(LiveTable::shown).toList());
    draft.note(
        ("until the contraction %s %s additional columns at the end; then the key becomes the last"
                + " column for good: insert into archive select * puts values into the wrong columns,"
                + " without an error if the types fit. Name the columns in such statements, and in"
                + " copy and insert")
            .formatted(tables, changes.tables().size() == 1 ? "has" : "have"));
    for (Map.Entry<LiveTable, List<String>> entry :
        changes.schema().tablesOfTheSameShape(changes.tables()).entrySet()) {
      draft.note(
          "%s %s the same column names, types and order as %s, and then no longer"
              .formatted(
                  Names.shortened(entry.getValue()),
                  entry.getValue().size() == 1 ? "has" : "have",
                  entry.getKey().shown()));
    }
    draft.note(
        "if several sessions insert the same key at the same time with on conflict, one may fail (23505, duplicate key) from the index step to the contraction: two indexes keep the key unique, and on conflict uses one of them; retry the statement");
    draft.note(
        cachedPlans(
            "with select * or returning * of %s when columns are added, at the switch and at the contraction; with a changed column by name %s"
                .formatted(
                    tables,
                    changes.keepCompatibilityView() ? "at the contraction" : "at the switch")));
    if (changes.keepCompatibilityView()) {
      draft.note(
          "between switch and contraction views take the place of %s: old code reads and writes them as before, but a view does not support: %s"
              .formatted(tables, ViewLimit.all()));
    }
  }

  /** Returns the note on prepared statements whose result changes. */
  static String cachedPlans(String which) {
    return "a prepared statement fails once if its session is in a transaction (0A000, cached plan must not change result type): "
        + which
        + ". pgJDBC retries it with autosave=conservative";
  }
}
