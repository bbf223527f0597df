package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Check;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.internal.schema.Index.ConstraintKind;
import dev.mintmark.operations.internal.schema.Index.Timing;
import dev.mintmark.operations.internal.schema.Relation;
import dev.mintmark.operations.internal.schema.RelationKind;
import dev.mintmark.operations.internal.schema.Sequence;
import dev.mintmark.operations.internal.schema.Trigger;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.SQLException;
import java.util.ArrayList;
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
 * What a key's change of type requires: everything that depends on its columns is either carried
 * over or refused, with a reason and a remedy.
 */
final class Preconditions {
  private static final SqlFile SCHEMA_PRIVILEGES =
      SqlFile.load(Preconditions.class, "schema_privileges");

  private static final int SERVER_WITH_INVOKER = 15;

  /** The access methods that serve uuid without an extension. */
  private static final Set<String> OF_UUIDS = Set.of("btree", "hash", "brin");

  /** The last part of a qualified name as the server writes it. */
  private static final Pattern LAST_NAME = Pattern.compile("\"(?:[^\"]|\"\")+\"$|[^\".]+$");

  /** A trigger that the server has bound to columns, not to names. */
  private static final Pattern BOUND =
      Pattern.compile("\\bUPDATE OF\\b|\\bWHEN \\(", Pattern.CASE_INSENSITIVE);

  private final KeyChanges changes;
  private final LiveSchema schema;
  private final PlanDraft draft;
  private final List<Refusal> refusals = new ArrayList<>();

  Preconditions(KeyChanges changes, PlanDraft draft) {
    this.changes = changes;
    this.schema = changes.schema();
    this.draft = draft;
  }

  /** Whether the new columns get such a check too; any other is dropped with the old columns. */
  static boolean isCarried(Check check, Set<String> changing, KeyChanges changes) {
    return changes.outgrow() || Definition.of(check).comparesOnly(changing);
  }

  /** Whether a trigger is created again at the switch, because it is bound to the old columns. */
  static boolean isBound(Trigger trigger, Set<String> columns) {
    return trigger.mentions(columns) && BOUND.matcher(trigger.definition()).find();
  }

  /** Returns what prevents the change; notes what users must know go to the draft. */
  List<Refusal> check() throws SQLException {
    for (LiveTable table : changes.tables()) {
      table(table);
      for (Column column : changes.of(table)) {
        column(table, column);
      }
      Set<String> names = changes.names(table);
      indexes(table, names);
      checks(table, names);
      triggers(table, names);
      columnLists(table);
    }
    for (ForeignKey foreignKey : changes.foreignKeys()) {
      foreignKey(foreignKey);
    }
    if (changes.keepCompatibilityView()) {
      viewsOfTheNewShape();
    }
    return List.copyOf(refusals);
  }

  private void refuse(RefusalCode code, String object, String reason, String remedy) {
    String collections =
        changes.keys().stream().map(KeyChanges.Key::collection).collect(Collectors.joining(", "));
    refusals.add(new Refusal(code, collections, object, reason, remedy));
  }

  private void table(LiveTable table) throws SQLException {
    String object = "table " + table.shown();
    if (!table.isOrdinary()) {
      refuse(
          RefusalCode.PARTITIONED_TABLE,
          object,
          "it is partitioned, a partition, a foreign table or part of an inheritance: indexes and"
              + " constraints cannot be added to it without a long lock",
          "change the type in a copy of the table, and exchange the two");
      return;
    }
    rights(table, object);
    definition(table, object);
    if (changes.keepCompatibilityView()) {
      compatibilityView(table, object);
    }
  }

  private void rights(LiveTable table, String object) {
    if (!table.owned()) {
      refuse(
          RefusalCode.NOT_OWNER,
          object,
          "it belongs to " + table.owner(),
          "run the migration as that role");
    }
    if (table.hidesRows()) {
      refuse(
          RefusalCode.HIDDEN_ROWS,
          object,
          "its row security may hide rows from this role, which must see all rows",
          "run the migration as a role with bypassrls");
    }
  }

  private void definition(LiveTable table, String object) {
    if (table.hasRules()) {
      refuse(
          RefusalCode.TABLE_RULES,
          object,
          "it has rules, which refer to its columns by position",
          "drop the rules");
    }
    if (table.identifiedByIndex()) {
      refuse(
          RefusalCode.REPLICA_IDENTITY,
          object,
          "its replica identity is an index",
          "alter table " + table.shown() + " replica identity default");
    }
    if (table.publications().isPresent()) {
      refuse(
          RefusalCode.PUBLISHED_TABLE,
          object,
          "it is published by "
              + table.publications().get()
              + ": subscribers lack the new columns, and later have another type",
          table.isPublishedWithOthers()
              ? "such a publication cannot leave out one table: replace it by one that lists its"
                  + " tables without this one, and add this one after the contraction"
              : "take the table out of the publication, and add it again after the contraction");
    }
  }

  /** What a view in the place of the table requires. */
  private void compatibilityView(LiveTable table, String object) throws SQLException {
    if (table.subscribed()) {
      refuse(
          RefusalCode.SUBSCRIBED_TABLE,
          object,
          "a subscription writes it, which cannot write to the view that takes its place",
          "take the table out of the publication and refresh the subscription; add it again after"
              + " the contraction");
    }
    if (table.rowSecurity() && schema.serverVersion() < SERVER_WITH_INVOKER) {
      refuse(
          RefusalCode.ROW_SECURITY_VERSION,
          object,
          "it has row security, which a view bypasses before PostgreSQL 15",
          "upgrade the server first");
    }
    if (table.rowSecurity()
        && table.grants().stream().anyMatch(grant -> grant.column().isPresent())) {
      refuse(
          RefusalCode.COLUMN_PRIVILEGES,
          object,
          "it has row security and privileges on single columns; a view cannot keep both",
          "grant those privileges on the table");
    }
    refuseTaken(object, table.quotedIn(ShadowName.next(table.schema())));
    for (String user : schema.rowUsers(table)) {
      refuse(
          RefusalCode.ROW_TYPE,
          object,
          user + " uses the table's row type, and the view that takes its place has another one",
          "drop that object, and create it again after the contraction");
    }
    schemaPrivileges(table);
    table.columns().stream()
        .flatMap(column -> table.sequence(column).stream())
        .filter(LiveTable.ColumnSequence::owned)
        .forEach(
            sequence ->
                draft.note(
                    "sequence %s moves to schema %s with its table between switch and contraction: old code that names it there does not find it"
                        .formatted(sequence.shown(), ShadowName.next(table.schema()))));
  }

  private void refuseTaken(String object, String quoted) throws SQLException {
    if (schema.hasRelation(quoted)) {
      refuse(
          RefusalCode.NAME_TAKEN,
          object,
          "there is " + quoted + " already, a name that the migration needs",
          "rename or drop that object");
    }
  }

  /** The table must return to its schema, and the view that takes its place has its owner. */
  private void schemaPrivileges(LiveTable table) throws SQLException {
    SCHEMA_PRIVILEGES.query(
        schema.connection(),
        Map.of("table", table.oid()),
        row -> {
          refuse(
              RefusalCode.SCHEMA_PRIVILEGE,
              "schema " + table.schema(),
              row.getString("reason"),
              row.getString("remedy"));
          return true;
        });
  }

  private void column(LiveTable table, Column column) throws SQLException {
    String object = "column " + table.shown() + "." + column.name();
    if (column.generated()) {
      refuse(
          RefusalCode.GENERATED_COLUMN,
          object,
          "it is generated from other columns",
          "drop its expression");
    }
    length(table, column, object);
    collation(table, column, object);
    if (changes.keepCompatibilityView() && column.hasExpression() && !column.notNull()) {
      refuse(
          RefusalCode.NULLABLE_DEFAULT,
          object,
          "it has a default and may be null: through a view, a null that old code writes cannot be distinguished from an omitted column, and becomes the default",
          "drop the default, or add a not-null constraint");
    }
    if (column.isIdentity()) {
      identity(table, column, object);
    }
    for (String side :
        List.of(ShadowName.next(column.name()), ShadowName.previous(column.name()))) {
      if (table.column(side).isPresent()) {
        refuse(
            RefusalCode.NAME_TAKEN,
            object,
            "its table has a column " + side + " already",
            "rename or drop that column");
      }
    }
    for (LiveSchema.Dependent dependent : schema.dependents(table, column)) {
      switch (dependent.kind()) {
        case VIEW -> view(dependent);
        case EXPRESSIONS -> expressions(dependent);
        case STATISTICS ->
            draft.note(dependent.description() + " is created again after the contraction");
        case OTHER ->
            refuse(
                RefusalCode.DEPENDENT_OBJECT,
                dependent.description(),
                "it depends on " + object,
                "drop it, and create it again after the contraction");
      }
    }
  }

  /** Another sequence takes the place of an identity's, by the same name. */
  private void identity(LiveTable table, Column column, String object) throws SQLException {
    Sequence sequence = table.sequence(column).orElseThrow().sequence();
    for (String user : schema.users(sequence)) {
      refuse(
          RefusalCode.DEPENDENT_OBJECT,
          user,
          "it draws from the sequence of " + object + ", which is an identity",
          "drop it, and create it again after the contraction");
    }
  }

  private void length(LiveTable table, Column column, String object) {
    int characters = changes.conversionOf(table, column).charactersMax();
    if (!column.type().holds(characters)) {
      refuse(
          RefusalCode.SHORT_COLUMN,
          object,
          "it has room for %s characters: until the contraction it also holds the texts of new identifiers, of %s"
              .formatted(column.type().length(), characters),
          "make it longer: alter table %s alter column %s type %s(%s)"
              .formatted(
                  table.quoted(),
                  SqlName.quoted(column.name()),
                  column.type().baseName().equals("bpchar") ? "char" : "varchar",
                  characters));
    }
  }

  /** Each quarantined text gets an identifier of its own, also if the collation equates two. */
  private void collation(LiveTable table, Column column, String object) {
    if (!column.type().deterministic()
        && changes.conversionOf(table, column) instanceof TextToUuid texts
        && texts.invalid() == InvalidValues.QUARANTINE) {
      refuse(
          RefusalCode.NONDETERMINISTIC_COLLATION,
          object,
          "its collation %s treats texts as equal to which --invalid quarantine gives different identifiers"
              .formatted(column.type().collation()),
          "correct the texts that are not identifiers, and choose another --invalid");
    }
  }

  private void expressions(LiveSchema.Dependent dependent) {
    if (changes.keepCompatibilityView()) {
      refuse(
          RefusalCode.STATISTICS_EXPRESSION,
          dependent.description(),
          "it computes with the key, which is no longer a text",
          "drop it, and create one for the new type after the contraction");
    } else {
      draft.note(dependent.description() + " is created again after the contraction");
    }
  }

  private void view(LiveSchema.Dependent dependent) throws SQLException {
    for (LiveView view : schema.views(Set.of(dependent.oid()))) {
      if (view.obstacle().isPresent()) {
        refuse(
            view.materialized() ? RefusalCode.MATERIALIZED_VIEW : RefusalCode.VIEW_NOT_RECREATABLE,
            (view.materialized() ? "materialized view " : "view ") + view.name(),
            "it shows the key, and must be created again: " + view.obstacle().get(),
            view.materialized()
                ? "keep its rows in a table until it is created again after the contraction: "
                    + view.asTable()
                : "drop it, and create it again after the contraction");
      }
    }
  }

  /** A view that is created again finds the columns of the table in another order. */
  private void columnLists(LiveTable table) throws SQLException {
    Pattern list =
        Pattern.compile(relation(table.shown()) + " (?:[a-z0-9_]+|\"(?:[^\"]|\"\")+\")\\(");
    for (LiveView view : schema.views(changes.viewsOf(table))) {
      if (list.matcher(view.definition()).find()) {
        refuse(
            RefusalCode.VIEW_NOT_RECREATABLE,
            "view " + view.name(),
            "it gives names to the columns of %s by their position, and the key becomes the last column"
                .formatted(table.shown()),
            "replace it by one without a list of columns after the alias of that table");
      }
    }
  }

  /**
   * The contraction creates views again, over keys that are no longer texts. The server plans each
   * query as it will be then, over the new shapes of tables and views.
   */
  private void viewsOfTheNewShape() throws SQLException {
    Map<String, String> shapes = new LinkedHashMap<>();
    Set<Long> oids = new LinkedHashSet<>();
    for (LiveTable table : changes.tables()) {
      shapes.put(table.shown(), newShape(table));
      oids.addAll(changes.viewsOf(table));
    }
    for (LiveView view : schema.views(oids)) {
      String query = inNewShape(view, shapes);
      Optional<String> failure = schema.failureOf(query);
      failure.ifPresent(
          why ->
              refuse(
                  RefusalCode.VIEW_QUERY,
                  "view " + view.name(),
                  "its query does not fit keys that are no longer texts: " + why,
                  "drop it, and create one for the new type after the contraction"));
      if (failure.isEmpty()) {
        shapes.put(view.name(), query);
      }
    }
  }

  /**
   * The query of a view over relations of the new shape, each a common table expression with a name
   * of its own: relations of several schemas may have the same name.
   */
  private static String inNewShape(LiveView view, Map<String, String> shapes) {
    String query = view.definition().strip().replaceFirst(";$", "");
    StringJoiner with = new StringJoiner(", ", "with ", " ");
    with.setEmptyValue("");
    int number = 0;
    for (Map.Entry<String, String> shape : shapes.entrySet()) {
      String name = "mintmark_shape_" + ++number;
      String named = named(query, shape.getKey(), name);
      if (!named.equals(query)) {
        with.add(name + " as (" + shape.getValue() + ")");
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

  /**
   * The query with a relation named otherwise. If it has no alias there, its columns are found by
   * its own name. The server writes keywords in capitals, and quotes an alias that has some.
   */
  private static String named(String query, String relation, String name) {
    return Pattern.compile(relation(relation) + "( (?=[a-z_\"]))?")
        .matcher(query)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    name + " " + (found.group(1) == null ? unqualified(relation) : "")));
  }

  /** The expression that finds a relation in a query. */
  private static String relation(String shown) {
    return "(?<![\\w$\".':])" + Pattern.quote(shown) + "(?![\\w$\".('])";
  }

  /** Returns the part of a quoted name after its schema. */
  private static String unqualified(String relation) {
    Matcher name = LAST_NAME.matcher(relation);
    return name.find() ? name.group() : relation;
  }

  private void indexes(LiveTable table, Set<String> names) throws SQLException {
    for (Index index : table.indexes()) {
      if (!Collections.disjoint(index.uses(), names)) {
        index(table, index, names);
      }
    }
  }

  private void index(LiveTable table, Index index, Set<String> names) throws SQLException {
    String object = "index " + index.name() + " of " + table.shown();
    if (index.constraint().filter(k -> k.timing() != Timing.AT_ONCE).isPresent()) {
      draft.note(
          object
              + " is deferrable: until the contraction it is checked at once as well, by its twin");
    }
    index
        .tablespace()
        .filter(tablespace -> !tablespace.usable())
        .ifPresent(
            tablespace ->
                refuse(
                    RefusalCode.TABLESPACE_PRIVILEGE,
                    object,
                    "this role may not create indexes in its tablespace " + tablespace.quoted(),
                    "grant create on tablespace " + tablespace.quoted()));
    for (String side : List.of(ShadowName.next(index.name()), ShadowName.previous(index.name()))) {
      refuseTaken(object, KeyChanges.beside(table, side));
    }
    if (!index.valid()) {
      refuse(RefusalCode.INVALID_INDEX, object, "it is not valid", "drop it, or build it again");
    } else if (index.constraint().filter(k -> k.kind() == ConstraintKind.EXCLUSION).isPresent()) {
      refuse(
          RefusalCode.EXCLUSION_CONSTRAINT,
          object,
          "it belongs to an exclusion constraint",
          "drop the constraint");
    } else if (index.constraint().isPresent() && !index.method().equals("btree")) {
      refuse(
          RefusalCode.TEMPORAL_CONSTRAINT,
          object,
          "it belongs to a constraint without overlaps",
          "drop the constraint");
    } else if (changes.keepCompatibilityView()) {
      indexOfUuids(object, index, names);
    }
  }

  private void indexOfUuids(String object, Index index, Set<String> names) {
    if (!OF_UUIDS.contains(index.method())) {
      refuse(
          RefusalCode.INDEX_METHOD,
          object,
          "it is a " + index.method() + " index, which does not support uuid",
          "drop it, and create one for the new type after the contraction");
    } else if (index.computes() || !Definition.of(index).conditionTestsOnlyNull(names)) {
      refuse(
          RefusalCode.INDEX_EXPRESSION,
          object,
          "it computes with the key, which is no longer a text",
          "drop it, and create one for the new type after the contraction");
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
              RefusalCode.CHECK_FUNCTION,
              object,
              "it calls a function that may not accept the new type",
              "drop it, and add it again after the contraction");
        }
      } else if (names.containsAll(check.columns())) {
        draft.note(
            object
                + " is about the text of the key ("
                + check.definition()
                + "): it is dropped with the old column");
      } else {
        refuse(
            RefusalCode.CHECK_EXPRESSION,
            object,
            "it is about the text of the key and about other columns: " + check.definition(),
            "drop it, and add one for the new type after the contraction");
      }
    }
  }

  private void triggers(LiveTable table, Set<String> names) throws SQLException {
    for (Trigger trigger : schema.triggers(table)) {
      String object = "trigger " + trigger.name() + " of " + table.shown();
      if (trigger.name().equals(Synchronisation.TRIGGER)) {
        refuse(
            RefusalCode.NAME_TAKEN,
            object,
            "its name is one that the migration needs",
            "rename it");
      } else if (trigger.beforeRow() && trigger.name().compareTo(Synchronisation.TRIGGER) > 0) {
        refuse(
            RefusalCode.TRIGGER_ORDER,
            object,
            "it fires after the trigger that synchronizes the columns, and may then change the row",
            "rename it, so that it sorts before " + Synchronisation.TRIGGER);
      } else if (trigger.mentions(names) && changes.keepCompatibilityView()) {
        refuse(
            RefusalCode.TRIGGER_USES_KEY,
            object,
            "it or its function "
                + trigger.function()
                + " uses the key, which is no longer a text after the switch",
            "drop it, and create one for the new type after the contraction");
      } else if (trigger.mentions(names)) {
        draft.note(
            object
                + ": its function "
                + trigger.function()
                + " uses the key: check whether it stores the key in an integer");
      }
    }
  }

  private void foreignKey(ForeignKey foreignKey) {
    String object = "foreign key " + foreignKey.name() + " of " + foreignKey.referencing().shown();
    if (foreignKey.setsDefault() && changes.keepCompatibilityView()) {
      refuse(
          RefusalCode.SET_DEFAULT_ACTION,
          object,
          "it sets a default, which is a text",
          "give it another action");
    }
    for (Relation side : List.of(foreignKey.referencing(), foreignKey.referenced())) {
      if (side.kind() != RelationKind.TABLE) {
        refuse(
            RefusalCode.PARTITIONED_TABLE,
            object,
            "table " + side.shown() + " is partitioned",
            "change the type in a copy of the table, and exchange the two");
      }
    }
  }
}
