package dev.mintmark.operations.migrate;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.MintDeclaration;
import dev.mintmark.MintDeclaration.OldRows;
import dev.mintmark.operations.internal.schema.BuiltInType;
import dev.mintmark.operations.internal.schema.Column;
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
 * The steps by which a table gets identifiers beside the key it has, as the collection declares: a
 * column, a default for rows that come, and a value of its own for each row that is there.
 */
final class AddIdentifierColumn {
  private static final Set<BuiltInType> TIMES =
      EnumSet.of(BuiltInType.TIMESTAMPTZ, BuiltInType.TIMESTAMP);

  /** The headers of an index entry, in pages that are not full. */
  private static final int INDEX_ENTRY_BYTES = 24;

  private final CollectionSpec collection;
  private final LiveSchema schema;
  private final LiveTable table;
  private final MintDeclaration declared;
  private final MintDefault minting;
  private final Optional<String> mint;
  private final PlanDraft draft;
  private final String column;
  private final boolean afterContraction;

  private AddIdentifierColumn(
      CollectionSpec collection,
      LiveSchema schema,
      LiveTable table,
      PlanDraft draft,
      boolean afterContraction) {
    this.collection = collection;
    this.schema = schema;
    this.table = table;
    this.declared = collection.mint();
    this.minting = MintDefault.of(collection);
    this.mint = minting.expression();
    this.draft = draft;
    this.column = collection.column();
    this.afterContraction = afterContraction;
  }

  /** Plans for a column that is missing, or has the type that it is declared to have. */
  static void plan(CollectionSpec collection, LiveSchema schema, LiveTable table, PlanDraft draft)
      throws SQLException {
    new AddIdentifierColumn(collection, schema, table, draft, false).plan();
  }

  /**
   * Plans for a column that exists and gets another type: what it lacks then is added when the old
   * column is dropped, because until then new rows get their values from old code.
   */
  static void planAfterContraction(
      CollectionSpec collection, LiveSchema schema, LiveTable table, PlanDraft draft)
      throws SQLException {
    PlanDraft after = new PlanDraft();
    new AddIdentifierColumn(collection, schema, table, after, true).plan();
    draft.addToContraction(after);
  }

  /** Adds the steps that are still to be done; none if all are. */
  private void plan() throws SQLException {
    boolean missing = table.column(column).isEmpty();
    Optional<Column> created = collection.created().flatMap(table::column);
    if (isRefused(missing, created)) {
      return;
    }
    boolean tooShort = table.column(column).filter(this::isTooShort).isPresent();
    if (missing) {
      add();
    } else if (!tooShort) {
      changeDefault(table.column(column).orElseThrow());
    }
    boolean filled = !tooShort && fill(created, missing);
    // The rest of a primary key is part of what identifies a row: that table gets no second key.
    if (!isInPrimaryKey()
        && table.indexes().stream().noneMatch(index -> index.isUniqueAlone(column))) {
      index();
    }
    boolean nullable = table.column(column).map(found -> !found.notNull()).orElse(true);
    if (filled && nullable && hasDefault()) {
      notNull();
    }
  }

  /** Whether new rows get an identifier from a default, by this plan or before. */
  private boolean hasDefault() {
    return mint.isPresent() || table.column(column).flatMap(Column::expression).isPresent();
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
    if (!missing && isByServer() && isMintRefused(table.column(column).orElseThrow())) {
      return true;
    }
    if (!table.isOrdinary()) {
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
          "add the column at the subscribers, and then here: alter table %s add column %s %s"
              .formatted(table.quoted(), SqlName.quoted(column), collection.storage().label()));
    }
    if (table.owned()) {
      return false;
    }
    if (missing) {
      refuse(
          RefusalCode.NOT_OWNER,
          object,
          "it belongs to " + table.owner(),
          "run the migration as that role");
    } else if (lacksDefault(table.column(column).orElseThrow())) {
      draft.note(
          "%s.%s has no default, so new rows get no %s: only %s, the owner of the table, can set it"
              .formatted(table.shown(), column, collection.kind().label(), table.owner()));
    }
    return true;
  }

  /** Refuses what {@code mint: server} declares and a column that exists cannot have. */
  private boolean isMintRefused(Column existing) {
    if (existing.expression().filter(minting::isMintedBy).isPresent() || afterContraction) {
      return false;
    }
    String object = "column " + table.shown() + "." + column;
    String set = Ddl.setDefault(table.quoted(), column, mint.orElseThrow()).apply().get(0);
    if (existing.generated()) {
      return refuse(
          RefusalCode.MINT_BY_SERVER,
          object,
          "it is a generated column, which has no default",
          "leave out \"mint: server\"");
    }
    if (isReference(existing)) {
      return refuse(
          RefusalCode.MINT_BY_SERVER,
          object,
          "it refers to another column, so its values are not minted",
          "leave out \"mint: server\"");
    }
    if (isTooShort(existing)) {
      return refuse(
          RefusalCode.MINT_BY_SERVER,
          object,
          "it has room for %s characters: the server mints texts of %s"
              .formatted(existing.type().length(), KindSql.bytes(collection)),
          "make it longer, or leave out \"mint: server\"");
    }
    if (!table.isOrdinary()) {
      return refuse(
          RefusalCode.PARTITIONED_TABLE,
          "table " + table.shown(),
          "it is partitioned, a partition, a foreign table or part of an inheritance: other tables"
              + " have a default of their own",
          "set the default by hand: " + set);
    }
    return !table.owned()
        && refuse(
            RefusalCode.NOT_OWNER,
            "table " + table.shown(),
            "it belongs to " + table.owner(),
            "run the migration as that role, or set the default by hand: " + set);
  }

  private boolean isByServer() {
    return declared.isByServer();
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
    if (collection.created().isEmpty() && declared.oldRows().isEmpty()) {
      draft.note(
          "existing rows of %s get no %s: name the column with their time in \"created\" to fill it, or declare old-rows: now"
              .formatted(table.shown(), column));
    }
    draft.addsColumn(table, column);
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

  /** Sets the default of a column that exists, replaces it, or states why neither is done. */
  private void changeDefault(Column existing) {
    Optional<String> before = existing.expression();
    if (before.isEmpty()) {
      if (isByServer() || lacksDefault(existing)) {
        setDefault();
      } else {
        noteMissingDefault(existing);
      }
    } else if (!afterContraction && !minting.isMintedBy(before.get())) {
      if (isByServer()) {
        replaceDefault(before.get());
      } else {
        noteOtherDefault(before.get());
      }
    } else if (!afterContraction && declared.isByApplication()) {
      noteDefaultBesideApplication(before.get());
    }
  }

  /** A primary key whose collection declares how it is minted, and not where. */
  private void noteMissingDefault(Column existing) {
    boolean isMinted =
        mint.isPresent()
            && !declared.equals(MintDeclaration.NONE)
            && declared.place().isEmpty()
            && table.isOrdinary()
            && !existing.isIdentity()
            && !existing.generated()
            && !existing.type().domain()
            && !isReference(existing);
    if (isMinted) {
      draft.note(
          "%s.%s has no default: if the server should mint it, declare mint: server; if the application mints it, mint: application"
              .formatted(table.shown(), column));
    }
  }

  private void noteOtherDefault(String before) {
    if (declared.isByApplication()) {
      noteDefaultBesideApplication(before);
    } else if (declared.order().isPresent() && minting.isMintable()) {
      draft.note(
          "the default of %s.%s is %s, which does not mint in the order %s: declare mint: server to replace it"
              .formatted(table.shown(), column, before, declared.order().get().label()));
    }
  }

  private void noteDefaultBesideApplication(String before) {
    draft.note(
        "%s.%s is declared mint: application and keeps its default: %s"
            .formatted(table.shown(), column, before));
  }

  private void replaceDefault(String before) {
    String value = mint.orElseThrow();
    draft.add(
        PlanDraft.brief(
            Phase.EXPAND,
            "replace the default of %s.%s for new rows: %s becomes %s"
                .formatted(table.shown(), column, before, value),
            table,
            Mode.ACCESS_EXCLUSIVE,
            Ddl.replaceDefault(table.quoted(), column, value, before)));
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

  /** Whether it was declared with a length that texts of its kind exceed: it holds others. */
  private boolean isTooShort(Column existing) {
    return collection.storage() == Kind.Storage.TEXT
        && !existing.type().holds(KindSql.bytes(collection));
  }

  private boolean isInPrimaryKey() {
    return table.indexes().stream()
        .anyMatch(index -> index.primary() && index.keyColumns().contains(Optional.of(column)));
  }

  private boolean isReference(Column existing) {
    return schema.foreignKeysOf(new LiveSchema.Place(table.oid(), existing.number())).stream()
        .anyMatch(
            key ->
                key.referencing().oid() == table.oid()
                    && key.columns().stream().anyMatch(end -> end.number() == existing.number()));
  }

  private void setDefault() {
    String value = mint.orElseThrow();
    draft.add(
        PlanDraft.brief(
            Phase.EXPAND,
            "set the default of %s.%s for new rows: %s".formatted(table.shown(), column, value),
            table,
            Mode.ACCESS_EXCLUSIVE,
            Ddl.setDefault(table.quoted(), column, value)));
  }

  /**
   * Adds the steps that fill it, if it can be filled and something is to be filled.
   *
   * @return whether all rows have a value then
   */
  private boolean fill(Optional<Column> created, boolean missing) throws SQLException {
    OldRows rows = declared.oldRows().orElse(created.isPresent() ? OldRows.CREATED : OldRows.NONE);
    if (rows == OldRows.NONE || (!missing && isReference(table.column(column).orElseThrow()))) {
      return false;
    }
    Optional<Column> source = created.filter(each -> rows == OldRows.CREATED);
    Optional<UnaryOperator<String>> fill = KindSql.fill(collection);
    if (fill.isEmpty()) {
      draft.note(
          "rows that are in %s now get no %s: the application mints those (%s)"
              .formatted(table.shown(), column, collection.kind().label()));
      return false;
    }
    String lacking =
        "t."
            + SqlName.quoted(column)
            + " is null"
            + source
                .map(each -> " and t." + SqlName.quoted(each.name()) + " is not null")
                .orElse("");
    if (missing || lacksValues(lacking)) {
      source.filter(each -> !hasZone(each)).ifPresent(this::noteZone);
      Backfill backfill = new Backfill(table);
      backfill.fill(
          column,
          fill.get()
              .apply(source.map(AddIdentifierColumn::at).orElse("pg_catalog.clock_timestamp()")),
          lacking);
      if (declared.oldRows().isEmpty() || !fillInOrder(source, lacking)) {
        fillAsTheyLie(source, backfill);
      }
      draft.add(
          backfill.rest("fill what others held locked of %s.%s".formatted(table.shown(), column)));
      draft.noteTriggers(schema, table);
      draft.add(PlanDraft.analyze(table, List.of(column)));
    }
    return source.map(Column::notNull).orElse(true);
  }

  private static boolean hasZone(Column created) {
    return created.base() == BuiltInType.TIMESTAMPTZ;
  }

  private void noteZone(Column created) {
    draft.note(
        "column %s.%s has no time zone: its times are taken for UTC"
            .formatted(table.shown(), created.name()));
  }

  /** The time of a row, as an expression of timestamptz. */
  private static String at(Column created) {
    String at = "t." + SqlName.quoted(created.name());
    return hasZone(created) ? at : "(" + at + " at time zone 'UTC')";
  }

  /** Fills in the order of the primary key; false if the kind has no order, or the table no key. */
  private boolean fillInOrder(Optional<Column> source, String lacking) {
    Optional<UnaryOperator<String>> ofTick = KindSql.ofTick(collection);
    if (ofTick.isEmpty()) {
      return false;
    }
    Optional<KeyOrderFill> fill = KeyOrderFill.of(table, source.map(AddIdentifierColumn::at));
    if (fill.isEmpty()) {
      draft.note(
          "rows of %s get their %s in no order: only a primary key of integers, texts and UUIDs gives one"
              .formatted(table.shown(), column));
      return false;
    }
    draft.add(
        fill.get()
            .step(
                "fill %s.%s %sin the order of %s"
                    .formatted(
                        table.shown(),
                        column,
                        source.map(each -> "from " + each.name() + ", ").orElse(""),
                        fill.get().shownKey()),
                column,
                ofTick.get(),
                lacking,
                KindSql.bytes(collection)));
    return true;
  }

  private void fillAsTheyLie(Optional<Column> source, Backfill backfill) {
    draft.add(
        backfill.pass(
            "fill %s.%s%s, row by row"
                .formatted(
                    table.shown(), column, source.map(each -> " from " + each.name()).orElse("")),
            KindSql.bytes(collection)));
  }

  /** Whether rows of a column that exists are to be filled, or may be until then. */
  private boolean lacksValues(String lacking) throws SQLException {
    return afterContraction ? !table.column(column).orElseThrow().notNull() : exists(lacking);
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

  private void index() throws SQLException {
    String definition = "(" + SqlName.quoted(column) + ")";
    long bytes = table.rows() * (KindSql.bytes(collection) + INDEX_ENTRY_BYTES);
    draft.add(PlanDraft.createIndex(table, indexName(), true, definition, bytes));
  }

  /** Returns the name that PostgreSQL would give the index, with a number if it is taken. */
  private String indexName() throws SQLException {
    String start = table.name() + "_" + column;
    String name = ShadowName.with(start, "_key");
    for (int i = 1; schema.hasRelation(KeyChanges.beside(table, name)); i++) {
      name = ShadowName.with(start, "_key" + i);
    }
    return name;
  }

  private void notNull() {
    draft.requireValue(
        table,
        column,
        ShadowName.next(table.name() + "_" + column),
        "require a value in " + table.shown() + "." + column);
  }
}
