package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Check;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.internal.schema.Index.ConstraintKind;
import dev.mintmark.operations.internal.schema.Index.Timing;
import dev.mintmark.operations.internal.schema.Relation;
import dev.mintmark.operations.internal.schema.RelationKind;
import dev.mintmark.operations.internal.schema.Trigger;
import dev.mintmark.operations.migrate.LiveSchema.DependentKind;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What stands in the way of a key's change of type: everything that hangs on its columns is either
 * carried over or named here, with why and with what can be done.
 */
final class Preconditions {
  private static final int SERVER_WITH_INVOKER = 15;

  /** The access methods that serve uuid without an extension. */
  private static final Set<String> OF_UUIDS = Set.of("btree", "hash", "brin");

  /** A trigger that the server has bound to columns, not to names. */
  private static final Pattern BOUND =
      Pattern.compile("\\bUPDATE OF\\b|\\bWHEN \\(", Pattern.CASE_INSENSITIVE);

  private final KeyChanges changes;
  private final LiveSchema schema;
  private final PlanDraft draft;
  private int found;

  Preconditions(KeyChanges changes, PlanDraft draft) {
    this.changes = changes;
    this.schema = changes.schema();
    this.draft = draft;
  }

  /** Whether the new columns get such a check too; one that does not ends with the old columns. */
  static boolean isCarried(Check check, Set<String> changing, KeyChanges changes) {
    return changes.outgrow() || Definition.of(check).comparesOnly(changing);
  }

  /** Whether a trigger is made again at the switch, since it stands with the old columns. */
  static boolean isBound(Trigger trigger, Set<String> columns) {
    return trigger.mentions(columns) && BOUND.matcher(trigger.definition()).find();
  }

  /** Looks for them all, and answers whether there are none. */
  boolean none() throws SQLException {
    for (LiveTable table : changes.tables()) {
      table(table);
      for (Column column : changes.of(table)) {
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
    if (changes.keepCompatibilityView()) {
      viewsOfTheNewShape();
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
    if (!table.isOrdinary()) {
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
    if (table.hidesRows()) {
      refuse(
          object,
          "its row security may hide rows from this role, which has to see all",
          "run the migration as a role with bypassrls");
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
    if (changes.keepCompatibilityView()) {
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
      refuseTaken(object, table.quotedIn(ShadowName.next(table.schema())));
      for (String user : schema.rowUsers(table)) {
        refuse(
            object,
            user + " has to do with its rows as a type, and old code finds a view of other rows",
            "drop that, and make it again behind the contraction");
      }
      if (!mayCreateIn(table.schema())) {
        refuse(
            "schema " + table.schema(),
            "this role may not create in it, and the table has to come back to it",
            "grant create on schema " + table.schema());
      }
      table.columns().stream()
          .flatMap(column -> table.sequence(column).stream())
          .filter(LiveTable.ColumnSequence::owned)
          .forEach(
              sequence ->
                  draft.note(
                      "sequence %s moves to schema %s with its table between switch and contraction: old code that names it there does not find it"
                          .formatted(sequence.shown(), ShadowName.next(table.schema()))));
    }
  }

  private void refuseTaken(String object, String quoted) throws SQLException {
    if (schema.hasRelation(quoted)) {
      refuse(
          object,
          "there is " + quoted + " already, a name that the migration needs",
          "rename or drop that one");
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

  private void column(LiveTable table, Column column) throws SQLException {
    String object = "column " + table.shown() + "." + column.name();
    if (column.generated()) {
      refuse(object, "it is computed from other columns", "drop its expression");
    }
    if (changes.keepCompatibilityView() && column.hasExpression() && !column.notNull()) {
      refuse(
          object,
          "it has a default and may be null: through a view, a null that old code writes is no other than no value, and becomes the default",
          "drop the default, or require a value");
    }
    for (String side :
        List.of(ShadowName.next(column.name()), ShadowName.previous(column.name()))) {
      if (table.column(side).isPresent()) {
        refuse(object, "its table has a column " + side + " already", "rename or drop that one");
      }
    }
    for (LiveSchema.Dependent dependent : schema.dependents(table, column)) {
      switch (dependent.kind()) {
        case VIEW -> view(dependent);
        case EXPRESSIONS -> expressions(dependent);
        case STATISTICS ->
            draft.note(dependent.description() + " is made again behind the contraction");
        case OTHER ->
            refuse(
                dependent.description(),
                "it depends on " + object,
                "drop it, and make it again behind the contraction");
      }
    }
  }

  private void expressions(LiveSchema.Dependent dependent) {
    if (changes.keepCompatibilityView()) {
      refuse(
          dependent.description(),
          "it computes with the key, which is no text any more",
          "drop it, and make one that fits behind the contraction");
    } else {
      draft.note(dependent.description() + " is made again behind the contraction");
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

  /**
   * The contraction makes views again, with keys that are no texts any more: plans each as it will
   * be then, over tables and views of the new shape that go by their names.
   */
  private void viewsOfTheNewShape() throws SQLException {
    Map<String, String> shapes = new LinkedHashMap<>();
    Set<Long> oids = new LinkedHashSet<>();
    for (LiveTable table : changes.tables()) {
      shapes.put(table.shown(), newShape(table));
      for (Column column : changes.of(table)) {
        schema.dependents(table, column).stream()
            .filter(dependent -> dependent.kind() == DependentKind.VIEW)
            .forEach(dependent -> oids.add(dependent.oid()));
      }
    }
    for (LiveView view : schema.views(oids)) {
      String query = inNewShape(view, shapes);
      Optional<String> failure = schema.failureOf(query);
      failure.ifPresent(
          why ->
              refuse(
                  "view " + view.name(),
                  "it cannot be made again over keys that are no texts any more: " + why,
                  "drop it, and make one that fits behind the contraction"));
      if (failure.isEmpty()) {
        shapes.put(view.name(), query);
      }
    }
  }

  /**
   * The query of a view over relations of the new shape, by the names that the server gives them.
   */
  private static String inNewShape(LiveView view, Map<String, String> shapes) {
    String query = view.definition().strip().replaceFirst(";$", "");
    StringJoiner with = new StringJoiner(", ", "with ", " ");
    with.setEmptyValue("");
    for (Map.Entry<String, String> shape : shapes.entrySet()) {
      String named = named(query, shape.getKey());
      if (!named.equals(query)) {
        with.add(unqualified(shape.getKey()) + " as (" + shape.getValue() + ")");
        query = named;
      }
    }
    return with + "select * from (" + query + ") v";
  }

  private String newShape(LiveTable table) {
    Set<String> names = changes.names(table);
    return table.columns().stream()
        .map(
            column ->
                names.contains(column.name())
                    ? "null::" + changes.type() + " as " + SqlName.quoted(column.name())
                    : "t." + SqlName.quoted(column.name()))
        .collect(Collectors.joining(", ", "select ", " from " + table.quoted() + " t"));
  }

  /** The query with a relation named as a common table expression is: without its schema. */
  private static String named(String query, String relation) {
    return query.replaceAll(
        "(?<![\\w$\".])" + Pattern.quote(relation) + "(?![\\w$\".(])",
        Matcher.quoteReplacement(unqualified(relation)));
  }

  private static String unqualified(String relation) {
    return relation.endsWith("\"")
        ? relation.substring(relation.lastIndexOf("\"", relation.length() - 2))
        : relation.substring(relation.lastIndexOf('.') + 1);
  }

  private void indexes(LiveTable table, Set<String> names) throws SQLException {
    for (Index index : table.indexes()) {
      if (Collections.disjoint(index.uses(), names)) {
        continue;
      }
      String object = "index " + index.name() + " of " + table.shown();
      if (index.constraint().filter(k -> k.timing() != Timing.AT_ONCE).isPresent()) {
        draft.note(
            object
                + " can be checked at the end of a transaction: until the contraction it is checked at once, by the index that stands beside it");
      }
      for (String side :
          List.of(ShadowName.next(index.name()), ShadowName.previous(index.name()))) {
        refuseTaken(object, KeyChanges.beside(table, side));
      }
      if (!index.valid()) {
        refuse(object, "it is not valid", "drop it, or make it again");
      } else if (index.constraint().filter(k -> k.kind() == ConstraintKind.EXCLUSION).isPresent()) {
        refuse(object, "it is that of an exclusion constraint", "drop the constraint");
      } else if (index.constraint().isPresent() && !index.method().equals("btree")) {
        refuse(object, "it is that of a constraint without overlaps", "drop the constraint");
      } else if (changes.keepCompatibilityView() && !OF_UUIDS.contains(index.method())) {
        refuse(
            object,
            "it is a " + index.method() + " index, which uuid may not have",
            "drop it, and make one that fits behind the contraction");
      } else if (changes.keepCompatibilityView()
          && (index.computes() || !Definition.of(index).conditionTestsOnlyNull(names))) {
        refuse(
            object,
            "it computes with the key, which is no text any more",
            "drop it, and make one that fits behind the contraction");
      }
    }
  }

  private void checks(LiveTable table, Set<String> names) {
    for (Check check : table.checks()) {
      if (Collections.disjoint(check.columns(), names)) {
        continue;
      }
      String object = "check " + check.name() + " of " + table.shown();
      if (isCarried(check, names, changes)) {
        if (Definition.of(check).callsUserFunction()) {
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
    for (Trigger trigger : schema.triggers(table)) {
      String object = "trigger " + trigger.name() + " of " + table.shown();
      if (trigger.name().equals(Synchronisation.TRIGGER)) {
        refuse(object, "its name is the one that the migration needs", "rename it");
      } else if (trigger.beforeRow() && trigger.name().compareTo(Synchronisation.TRIGGER) > 0) {
        refuse(
            object,
            "it runs behind the trigger that keeps both columns the same, and may change a row then",
            "rename it, so that it comes before " + Synchronisation.TRIGGER);
      } else if (trigger.mentions(names) && changes.keepCompatibilityView()) {
        refuse(
            object,
            "it or its function "
                + trigger.function()
                + " uses the key, which is no text any more behind the switch",
            "drop it, and make one that fits behind the contraction");
      } else if (trigger.mentions(names)) {
        draft.note(
            object
                + ": its function "
                + trigger.function()
                + " uses the key: look whether it keeps it in an integer");
      }
    }
  }

  private void foreignKey(ForeignKey foreignKey) {
    String object = "foreign key " + foreignKey.name() + " of " + foreignKey.referencing().shown();
    if (foreignKey.setsDefault() && changes.keepCompatibilityView()) {
      refuse(object, "it sets a default, which is a text", "give it another action");
    }
    for (Relation side : List.of(foreignKey.referencing(), foreignKey.referenced())) {
      if (side.kind() != RelationKind.TABLE) {
        refuse(
            object,
            "table " + side.shown() + " is partitioned",
            "change the type in a copy of the table, and exchange the two");
      }
    }
  }
}
