package dev.mintmark.operations.migrate;

import dev.mintmark.CollectionSpec;
import dev.mintmark.operations.internal.schema.BuiltInType;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.migrate.TableLock.Mode;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The steps by which a table gets identifiers beside the key it has: a column, a default for rows
 * that come, and, where the collection says when rows were made, a value of its own for each that
 * is there. Else those stay without one.
 */
final class AddIdentifierColumn {
  private static final Set<BuiltInType> TIMES =
      EnumSet.of(BuiltInType.TIMESTAMPTZ, BuiltInType.TIMESTAMP);

  /** A uuid with the headers of an index entry, in pages that are not full. */
  private static final long INDEX_ENTRY_BYTES = 40;

  private final CollectionSpec collection;
  private final LiveSchema schema;
  private final LiveTable table;
  private final Optional<String> mint;
  private final PlanDraft draft;
  private final String column;

  /**
   * @param mint the default of the column, if the server can mint its kind
   */
  AddIdentifierColumn(
      CollectionSpec collection,
      LiveSchema schema,
      LiveTable table,
      Optional<String> mint,
      PlanDraft draft) {
    this.collection = collection;
    this.schema = schema;
    this.table = table;
    this.mint = mint;
    this.draft = draft;
    this.column = collection.column();
  }

  /** Adds the steps that are still to be done; none where all are. */
  void plan() throws SQLException {
    boolean missing = table.column(column).isEmpty();
    Optional<Column> created = collection.created().flatMap(table::column);
    if (isRefused(missing, created)) {
      return;
    }
    if (missing) {
      add();
    } else if (lacksDefault(table.column(column).orElseThrow())) {
      setDefault();
    }
    boolean filled = created.isPresent() && fill(created.get(), missing);
    boolean unique =
        table.indexes().stream()
            .anyMatch(
                index ->
                    index.unique()
                        && index.valid()
                        && !index.partial()
                        && index.columns().contains(column));
    if (!unique) {
      index();
    }
    boolean nullable = table.column(column).map(found -> !found.notNull()).orElse(true);
    if (filled && nullable && created.get().notNull()) {
      notNull();
    }
  }

  private boolean isRefused(boolean missing, Optional<Column> created) {
    String object = "table " + table.shown();
    if (collection.created().isPresent() && created.isEmpty()) {
      return refuse(
          RefusalCode.MISSING_CREATED_COLUMN,
          object,
          "it has no column " + collection.created().get() + ", which says when a row was made",
          "name the column that does, or leave out \"created\"");
    }
    if (created.isPresent() && !TIMES.contains(created.get().base())) {
      return refuse(
          RefusalCode.CREATED_COLUMN_TYPE,
          "column " + table.shown() + "." + created.get().name(),
          "it is " + created.get().type().declared() + ", which is not a time",
          "name a column of timestamptz");
    }
    if ((missing || created.isPresent()) && !table.isOrdinary()) {
      return !missing
          || refuse(
              RefusalCode.PARTITIONED_TABLE,
              object,
              "it is partitioned, a partition, a foreign table or part of an inheritance: a unique"
                  + " index cannot be added to it without a long lock",
              "add the column by hand, and an index for each partition");
    }
    if (missing && table.publications().isPresent()) {
      return refuse(
          RefusalCode.PUBLISHED_TABLE,
          object,
          "it is published by " + table.publications().get() + ": subscribers lack the column",
          table.isPublishedWithOthers()
              ? "add the column at the subscribers first"
              : "add the column at the subscribers first, or take the table out of the publication");
    }
    return missing
        && !table.owned()
        && refuse(
            RefusalCode.NOT_OWNER,
            object,
            "it belongs to " + table.owner(),
            "run the migration as that role");
  }

  private boolean refuse(RefusalCode code, String object, String reason, String remedy) {
    draft.refuse(new Refusal(code, collection.name(), object, reason, remedy));
    return true;
  }

  private void add() {
    String storage = collection.storage().label();
    Ddl added = Ddl.addColumns(table.quoted(), List.of(column), storage);
    // In a statement of its own, the default is for rows that come: given with the column it would
    // be for all. It is dropped with the column.
    Optional<Ddl> set =
        mint.map(value -> Ddl.setDefault(table.quoted(), column, value).onlyApply());
    if (mint.isEmpty()) {
      draft.note(
          "column %s.%s gets no default: the application mints its identifiers (%s)"
              .formatted(table.shown(), column, collection.kind().label()));
    }
    draft.note(
        PlanNotes.cachedPlans(
            "with select * or returning * of %s when the column is added"
                .formatted(table.shown())));
    if (collection.created().isEmpty()) {
      draft.note(
          "existing rows of %s get no %s: name the column with their time in \"created\" to fill it"
              .formatted(table.shown(), column));
    }
    draft.add(
        PlanDraft.brief(
            Phase.EXPAND,
            "add %s.%s %s%s"
                .formatted(
                    table.shown(),
                    column,
                    storage,
                    mint.map(value -> " default " + value + " for new rows").orElse("")),
            table,
            Mode.ACCESS_EXCLUSIVE,
            added.and(Ddl.ifAny(set))));
  }

  /**
   * Whether a column that exists is still to get the default that a new one has: it was added by
   * other means, and new rows would stay without an identifier. A default of the team's own stays.
   * A primary key without a default is minted by the application, and a reference is not minted.
   */
  private boolean lacksDefault(Column existing) {
    return mint.isPresent()
        && table.isOrdinary()
        && existing.expression().isEmpty()
        && !existing.isIdentity()
        && !existing.generated()
        && !existing.type().domain()
        && !isInPrimaryKey()
        && !isReference(existing);
  }

  private boolean isInPrimaryKey() {
    return table.indexes().stream()
        .anyMatch(
            index ->
                index.columns().contains(column)
                    && index
                        .constraint()
                        .filter(key -> key.kind() == Index.ConstraintKind.PRIMARY_KEY)
                        .isPresent());
  }

  private boolean isReference(Column existing) {
    return schema.foreignKeysOf(new LiveSchema.Place(table.oid(), existing.number())).stream()
        .anyMatch(
            key ->
                key.referencing().oid() == table.oid()
                    && key.columns().stream().anyMatch(end -> end.number() == existing.number()));
  }

  private void setDefault() {
    String shown = table.shown() + "." + column;
    if (!table.owned()) {
      draft.note(
          "%s has no default, so new rows get no %s: only %s, the owner of the table, can set it"
              .formatted(shown, collection.kind().label(), table.owner()));
      return;
    }
    String value = mint.orElseThrow();
    draft.add(
        PlanDraft.brief(
            Phase.EXPAND,
            "set the default of %s for new rows: %s".formatted(shown, value),
            table,
            Mode.ACCESS_EXCLUSIVE,
            Ddl.setDefault(table.quoted(), column, value)));
  }

  /** Adds the steps that fill it, if it can be filled and something is to be filled. */
  private boolean fill(Column created, boolean missing) throws SQLException {
    Optional<UnaryOperator<String>> fill = KindSql.of(collection).fill();
    if (fill.isEmpty()) {
      draft.note(
          "rows that are in %s now get no %s: the application mints those (%s)"
              .formatted(table.shown(), column, collection.kind().label()));
      return false;
    }
    String at = "t." + SqlName.quoted(created.name());
    boolean hasZone = created.base() == BuiltInType.TIMESTAMPTZ;
    if (!hasZone) {
      at = "(" + at + " at time zone 'UTC')";
    }
    String lacking =
        "t."
            + SqlName.quoted(column)
            + " is null and t."
            + SqlName.quoted(created.name())
            + " is not null";
    if (missing || exists(lacking)) {
      if (!hasZone) {
        draft.note(
            "column %s.%s has no time zone: its times are taken for UTC"
                .formatted(table.shown(), created.name()));
      }
      Backfill backfill = new Backfill(table);
      backfill.fill(column, fill.get().apply(at), lacking);
      String shown = table.shown() + "." + column;
      draft.add(backfill.pass("fill " + shown + " from " + created.name() + ", row by row", 16));
      draft.add(backfill.rest("fill what others held locked of " + shown));
      draft.noteTriggers(schema, table);
      draft.add(PlanDraft.analyze(table, List.of(column)));
    }
    return true;
  }

  private boolean exists(String condition) throws SQLException {
    try (Statement statement = schema.connection().createStatement();
        ResultSet row =
            statement.executeQuery(
                "select exists (select from " + table.quoted() + " t where " + condition + ")")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private void index() {
    String name = ShadowName.with(table.name() + "_" + column, "_key");
    String definition = "(" + SqlName.quoted(column) + ")";
    draft.add(
        PlanDraft.createIndex(table, name, true, definition, table.rows() * INDEX_ENTRY_BYTES));
  }

  private void notNull() {
    draft.requireValue(
        table,
        column,
        ShadowName.next(table.name() + "_" + column),
        "require a value in " + table.shown() + "." + column);
  }
}
