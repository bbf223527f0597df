package dev.mintmark.postgres.migrate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What stands in the way of a key's change of type: everything that hangs on its columns is either
 * carried over or named here, with why and with what can be done.
 */
final class Obstacles {
  private static final String ORDINARY = "r";

  private static final int SERVER_WITH_INVOKER = 15;

  /** A trigger that the server has bound to columns, not to names. */
  private static final Pattern BOUND =
      Pattern.compile("\\bUPDATE OF\\b|\\bWHEN \\(", Pattern.CASE_INSENSITIVE);

  private final KeyChanges changes;
  private final LiveSchema schema;
  private final PlanDraft draft;
  private int found;

  Obstacles(KeyChanges changes, PlanDraft draft) {
    this.changes = changes;
    this.schema = changes.schema();
    this.draft = draft;
  }

  /** Whether the new columns get such a check too; one that does not ends with the old columns. */
  static boolean isCarried(LiveTable.Check check, Set<String> changing, KeyChanges changes) {
    return changes.outgrow() || check.definition().comparesOnly(changing);
  }

  /** Whether a trigger is made again at the switch, since it stands with the old columns. */
  static boolean isBound(LiveSchema.Trigger trigger) {
    return trigger.mentions() && BOUND.matcher(trigger.definition()).find();
  }

  /** Looks for them all, and answers whether there are none. */
  boolean none() throws SQLException {
    for (LiveTable table : changes.tables()) {
      table(table);
      for (LiveColumn column : changes.of(table)) {
        column(table, column);
      }
      Set<String> names = changes.names(table);
      indexes(table, names);
      checks(table, names);
      triggers(table, names);
    }
    for (ForeignKey foreignKey : changes.foreignKeys()) {
      foreignKey(foreignKey);
    }
    return found == 0;
  }

  private void refuse(String object, String reason, String remedy) {
    found++;
    String collections =
        changes.keys().stream().map(KeyChanges.Key::collection).collect(Collectors.joining(", "));
    draft.refuse(new Refusal(collections, object, reason, remedy));
  }

  private void table(LiveTable table) throws SQLException {
    String object = "table " + table.shown();
    if (!table.kind().equals(ORDINARY) || table.inherits()) {
      refuse(
          object,
          "it is partitioned, a partition, foreign or part of an inheritance, whose indexes and"
              + " constraints cannot be made beside it without locking it",
          "change the type in a copy of the table, and exchange the two");
      return;
    }
    if (!table.owned()) {
      refuse(object, "it belongs to " + table.owner(), "run the migration as that role");
    }
    if (table.hasRules()) {
      refuse(object, "it has rules, which name its columns by their place", "drop the rules");
    }
    if (table.identifiedByIndex()) {
      refuse(
          object,
          "its replica identity is an index",
          "alter table " + table.shown() + " replica identity default");
    }
    if (table.publications().isPresent()) {
      refuse(
          object,
          "it is published by "
              + table.publications().get()
              + ": subscribers lack the new columns, and then have another type",
          "take the table out of the publication, and add it again behind the contraction");
    }
    if (changes.keepOldShape()) {
      if (table.rowSecurity() && schema.serverVersion() < SERVER_WITH_INVOKER) {
        refuse(
            object,
            "it has row security, which a view passes by before PostgreSQL 15",
            "upgrade the server first");
      }
      if (table.rowSecurity()
          && table.grants().stream().anyMatch(grant -> grant.column().isPresent())) {
        refuse(
            object,
            "it has row security and rights on single columns, which a view cannot both keep",
            "grant those rights on the table");
      }
      if (!mayCreateIn(table.schema())) {
        refuse(
            "schema " + table.schema(),
            "this role may not create in it, and the table has to come back to it",
            "grant create on schema " + table.schema());
      }
      table.columns().stream()
          .flatMap(column -> column.sequence().stream())
          .filter(LiveColumn.Sequence::owned)
          .forEach(
              sequence ->
                  draft.note(
                      "sequence %s moves to schema %s with its table between switch and contraction: old code that names it there does not find it"
                          .formatted(sequence.name(), SideName.coming(table.schema()))));
    }
  }

  private boolean mayCreateIn(String name) throws SQLException {
    Connection connection = schema.connection();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select has_schema_privilege(?, 'create') and has_database_privilege(current_database(), 'create')")) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  private void column(LiveTable table, LiveColumn column) throws SQLException {
    String object = "column " + table.shown() + "." + column.name();
    if (column.generated()) {
      refuse(object, "it is computed from other columns", "drop its expression");
    }
    for (String side : List.of(SideName.coming(column.name()), SideName.leaving(column.name()))) {
      if (table.column(side).isPresent()) {
        refuse(object, "its table has a column " + side + " already", "rename or drop that one");
      }
    }
    for (LiveSchema.Dependent dependent : schema.dependents(table, column)) {
      switch (dependent.kind()) {
        case "view" -> view(dependent);
        case "statistics" ->
            draft.note(dependent.description() + " is made again behind the contraction");
        default ->
            refuse(
                dependent.description(),
                "it depends on " + object,
                "drop it, and make it again behind the contraction");
      }
    }
  }

  private void view(LiveSchema.Dependent dependent) throws SQLException {
    for (LiveView view : schema.views(Set.of(dependent.oid()))) {
      if (view.obstacle().isPresent()) {
        refuse(
            (view.materialized() ? "materialized view " : "view ") + view.name(),
            "it shows the key, and has to be made again: " + view.obstacle().get(),
            "drop it, and make it again behind the contraction");
      }
    }
  }

  private void indexes(LiveTable table, Set<String> names) {
    for (LiveTable.Index index : table.indexes()) {
      if (Collections.disjoint(index.uses(), names)) {
        continue;
      }
      String object = "index " + index.name() + " of " + table.shown();
      if (!index.valid()) {
        refuse(object, "it is not valid", "drop it, or make it again");
      } else if (index.constraint().filter(k -> k.type().equals("x")).isPresent()) {
        refuse(object, "it is that of an exclusion constraint", "drop the constraint");
      } else if (changes.keepOldShape()
          && (index.computes() || !index.definition().conditionTestsOnlyNull(names))) {
        refuse(
            object,
            "it computes with the key, which is no text any more",
            "drop it, and make one that fits behind the contraction");
      }
    }
  }

  private void checks(LiveTable table, Set<String> names) {
    for (LiveTable.Check check : table.checks()) {
      if (Collections.disjoint(check.columns(), names)) {
        continue;
      }
      String object = "check " + check.name() + " of " + table.shown();
      if (isCarried(check, names, changes)) {
        if (check.definition().callsUserFunction()) {
          refuse(
              object,
              "it calls a function that may not take the new type",
              "drop it, and add it again behind the contraction");
        }
      } else if (names.containsAll(check.columns())) {
        draft.note(
            object
                + " is about the text of the key ("
                + check.definition()
                + "): it holds for the old column, and ends with it");
      } else {
        refuse(
            object,
            "it is about the text of the key and about other columns: " + check.definition(),
            "drop it, and add one that fits behind the contraction");
      }
    }
  }

  private void triggers(LiveTable table, Set<String> names) throws SQLException {
    for (LiveSchema.Trigger trigger : schema.triggers(table, names)) {
      String object = "trigger " + trigger.name() + " of " + table.shown();
      if (trigger.name().equals(Synchronisation.TRIGGER)) {
        refuse(object, "its name is the one that the migration needs", "rename it");
      } else if (trigger.beforeRow() && trigger.name().compareTo(Synchronisation.TRIGGER) > 0) {
        refuse(
            object,
            "it runs behind the trigger that keeps both columns the same, and may change a row then",
            "rename it, so that it comes before " + Synchronisation.TRIGGER);
      } else if (trigger.mentions() && changes.keepOldShape()) {
        refuse(
            object,
            "it or its function "
                + trigger.function()
                + " uses the key, which is no text any more behind the switch",
            "drop it, and make one that fits behind the contraction");
      } else if (trigger.mentions()) {
        draft.note(
            object
                + ": its function "
                + trigger.function()
                + " uses the key: look whether it keeps it in an integer");
      }
    }
  }

  private void foreignKey(ForeignKey foreignKey) throws SQLException {
    String object =
        "foreign key "
            + foreignKey.name()
            + " of "
            + schema.table(foreignKey.referencing()).shown();
    if (foreignKey.setsDefault() && changes.keepOldShape()) {
      refuse(object, "it sets a default, which is a text", "give it another action");
    }
    for (long oid : List.of(foreignKey.referencing(), foreignKey.referenced())) {
      if (!schema.table(oid).kind().equals(ORDINARY)) {
        refuse(
            object,
            "table " + schema.table(oid).shown() + " is partitioned",
            "change the type in a copy of the table, and exchange the two");
      }
    }
  }
}
