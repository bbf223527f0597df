package dev.mintmark.operations.migrate;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.operations.internal.schema.BuiltInType;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.Relation;
import dev.mintmark.operations.migrate.KeyGroup.Member;
import dev.mintmark.postgres.internal.LockTimeout;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Compares a catalog with a live database, and plans the steps that make the database match.
 *
 * <ul>
 *   <li>A missing column of a collection is added beside the key of its table. One that exists
 *       there without a default gets it.
 *   <li>With {@code mint: server}, a default that calls other functions than those that mint the
 *       collection is replaced; with {@code mint: application}, none is set.
 *   <li>A text key that is declared as uuid, or an integer that is declared as bigint, changes its
 *       type together with all columns that refer to it.
 *   <li>A key that is declared an integer ({@link CollectionSpec#narrow}) is not changed, unless a
 *       key that it refers to, or that refers to it, becomes a bigint.
 *   <li>A column that is as declared is not changed, even if it has another default (without {@code
 *       mint: server}) or other constraints than a plan would give it, or its type is a domain over
 *       the declared one, directly or through other domains.
 * </ul>
 *
 * <p>Reads all values of text keys that would change, which takes seconds for a million rows, in
 * one snapshot. Changes nothing. Immutable; safe for use by many threads.
 */
public final class MigrationPlanner {
  private static final Set<BuiltInType> TEXTS =
      EnumSet.of(BuiltInType.TEXT, BuiltInType.VARCHAR, BuiltInType.CHAR);
  private static final Set<BuiltInType> INTEGERS =
      EnumSet.of(BuiltInType.SMALLINT, BuiltInType.INTEGER);
  private static final int SERVER_VERSION_MIN = 14;

  /**
   * Only changes of a table's definition wait behind a plan, so it waits for longer than a step.
   */
  private static final int LOCK_SECONDS_MAX = 10;

  private final DataSource connections;
  private final String pack;
  private final Duration lockTimeout;

  private MigrationPlanner(DataSource connections, String pack, Duration lockTimeout) {
    this.connections = connections;
    this.pack = pack;
    this.lockTimeout = lockTimeout;
  }

  /**
   * Returns the planner of a database. Does not connect yet.
   *
   * @param pack the script of the SQL pack; the first step of a plan if the database lacks
   *     functions of it that the plan needs
   */
  public static MigrationPlanner over(DataSource connections, String pack) {
    return new MigrationPlanner(connections, pack, Duration.ofSeconds(LOCK_SECONDS_MAX));
  }

  /** Returns one that waits for a locked table for another time. */
  MigrationPlanner withLockTimeout(Duration timeout) {
    return new MigrationPlanner(connections, pack, timeout);
  }

  /**
   * Plans.
   *
   * @param invalid how to treat texts that are not identifiers
   * @param reading receives, before a column is read in full, its name and its approximate number
   *     of rows
   * @throws MigrationException if a table stayed locked for {@value #LOCK_SECONDS_MAX} seconds, or
   *     for the shorter {@code lock_timeout} of the role; the message names who has the lock, if
   *     that can be determined; or if a table that was read, or something that depends on it, was
   *     created, dropped or rewritten meanwhile
   * @throws SQLException if the database fails
   */
  public MigrationPlan plan(Catalog catalog, InvalidValues invalid, Consumer<String> reading)
      throws SQLException {
    try (Connection connection = connections.getConnection()) {
      try {
        return PlanSnapshot.plan(
            connection,
            lockTimeout,
            schema -> new Planning(schema, invalid, reading).plan(catalog));
      } catch (SQLException e) {
        if (!LockTimeout.is(e)) {
          throw e;
        }
        throw new MigrationException(
            "no plan was made: %s; plan again once it is free"
                .formatted(LockHolders.describeReading(connection, catalog, e)),
            e);
      }
    }
  }

  /** One plan while it is made. */
  private final class Planning {
    private final LiveSchema schema;
    private final InvalidValues invalid;
    private final Consumer<String> reading;
    private final PlanDraft draft = new PlanDraft();
    private final List<KeyChanges.Key> reshaped = new ArrayList<>();
    private final List<KeyChanges.Key> widened = new ArrayList<>();
    private final List<Narrow> narrow = new ArrayList<>();
    private final Map<CollectionSpec, LiveTable> reshapedTables = new LinkedHashMap<>();

    /** A key that is to stay an integer of fewer than 8 bytes. */
    private record Narrow(String collection, Member key) {}

    private Planning(LiveSchema schema, InvalidValues invalid, Consumer<String> reading) {
      this.schema = schema;
      this.invalid = invalid;
      this.reading = reading;
    }

    private MigrationPlan plan(Catalog catalog) throws SQLException {
      if (schema.serverVersion() < SERVER_VERSION_MIN) {
        draft.refuse(
            new Refusal(
                RefusalCode.SERVER_VERSION,
                "",
                "the server",
                "it is PostgreSQL " + schema.serverVersion(),
                "upgrade to 14 or later"));
        return draft.plan();
      }
      load(catalog);
      for (CollectionSpec collection : catalog.collections()) {
        if (collection.table().isPresent()) {
          collection(collection, collection.table().get());
        }
      }
      retype();
      MigrationPlan plan = draft.plan();
      return needsPack(plan) ? withPack(plan) : plan;
    }

    /** Reads all tables that the plan may ask for, in as many statements as one of them takes. */
    private void load(Catalog catalog) throws SQLException {
      Map<String, Set<String>> columns = new LinkedHashMap<>();
      for (CollectionSpec collection : catalog.collections()) {
        collection
            .table()
            .ifPresent(
                table -> {
                  named(columns, table).add(collection.column());
                  collection
                      .referencedBy()
                      .forEach(each -> named(columns, each.table()).add(each.column()));
                });
      }
      schema.find(columns.keySet());
      Map<Relation, Set<String>> wanted = new HashMap<>();
      for (Map.Entry<String, Set<String>> entry : columns.entrySet()) {
        schema
            .find(entry.getKey())
            .filter(relation -> relation.kind().isTable())
            .ifPresent(
                relation ->
                    wanted
                        .computeIfAbsent(relation, each -> new HashSet<>())
                        .addAll(entry.getValue()));
      }
      schema.load(wanted.keySet().stream().map(Relation::oid).toList());
      List<LiveSchema.Place> places = new ArrayList<>();
      for (Map.Entry<Relation, Set<String>> entry : wanted.entrySet()) {
        LiveTable table = schema.table(entry.getKey().oid());
        entry.getValue().stream()
            .flatMap(column -> table.column(column).stream())
            .forEach(column -> places.add(new Member(table, column).place()));
      }
      schema.loadConnected(places);
    }

    private static Set<String> named(Map<String, Set<String>> columns, String table) {
      return columns.computeIfAbsent(table, each -> new HashSet<>());
    }

    private void collection(CollectionSpec collection, String name) throws SQLException {
      Optional<Relation> found = schema.find(name);
      if (found.isEmpty()) {
        refuse(
            collection,
            RefusalCode.MISSING_TABLE,
            "table " + name,
            "there is no such table in the database",
            "create it, or correct the catalog");
        return;
      }
      if (!found.get().kind().isTable()) {
        // The old shape of a table that is being migrated is a view, among others.
        refuse(
            collection,
            RefusalCode.NOT_A_TABLE,
            "relation " + name,
            "it is not a table",
            "name the table, or end the migration that put a view in its place");
        return;
      }
      LiveTable table = schema.table(found.get().oid());
      Optional<Column> column = table.column(collection.column());
      if (column.isEmpty() && collection.narrow()) {
        refuse(
            collection,
            RefusalCode.MISSING_COLUMN,
            "table " + table.shown(),
            "it has no column " + collection.column() + ", and would get a bigint",
            "declare storage: bigint, or name the column that exists");
        return;
      }
      if (column.isEmpty()) {
        if (!collection.referencedBy().isEmpty()) {
          draft.note(
              "\"referenced-by\" of %s has no effect: nothing refers to a column that does not exist yet"
                  .formatted(collection.name()));
        }
        AddIdentifierColumn.plan(collection, schema, table, draft);
        return;
      }
      switch (collection.storage()) {
        case UUID -> uuid(collection, new Member(table, column.get()));
        case BIGINT -> bigint(collection, new Member(table, column.get()));
        case TEXT -> text(collection, new Member(table, column.get()));
      }
    }

    private void uuid(CollectionSpec collection, Member key) throws SQLException {
      if (!isPlain(key, TEXTS) && key.column().base() != BuiltInType.UUID) {
        if (!refuseDomain(collection, key, TEXTS)) {
          refuse(
              collection,
              RefusalCode.UNSUITABLE_TYPE,
              "column " + key.shown(),
              "it is %s, which cannot become a %s"
                  .formatted(key.column().type().declared(), collection.kind().label()),
              "name another column, which the table then gains beside it, such as column: public_id");
        }
        return;
      }
      KeyGroup group = group(collection, key);
      if (changes(collection, key, group, BuiltInType.UUID, TEXTS)) {
        KeyTexts texts = new KeyTexts();
        for (Member member : group.members()) {
          if (isPlain(member, TEXTS)) {
            reading.accept(
                "the texts of %s, about %,d rows".formatted(member.shown(), member.table().rows()));
            texts.read(schema.connection(), member);
          }
        }
        convert(collection, key, group, texts);
      } else if (key.column().base() == BuiltInType.UUID) {
        AddIdentifierColumn.plan(collection, schema, key.table(), draft);
      }
    }

    private void convert(CollectionSpec collection, Member key, KeyGroup group, KeyTexts texts)
        throws SQLException {
      if (texts.hasUlids() && texts.hasUuids()) {
        refuse(
            collection,
            RefusalCode.MIXED_IDENTIFIERS,
            "column " + key.shown(),
            "it holds both ULIDs and UUIDs as text, which are different identifiers",
            "write all of them in one form first");
        return;
      }
      InvalidTexts faults = new InvalidTexts(collection, key, texts);
      Optional<Refusal> refusal = faults.refusal(invalid);
      if (refusal.isPresent()) {
        draft.refuse(refusal.get());
        return;
      }
      TextToUuid.Form ifEmpty = KindSql.of(collection).textForm();
      TextToUuid conversion = TextToUuid.of(texts, ifEmpty, invalid);
      faults.notes(invalid).forEach(draft::note);
      if (conversion.exact() || areAllDistinct(collection, group, conversion)) {
        carry(collection, key, group, conversion);
        reshapedTables.put(collection, key.table());
      }
    }

    /**
     * Whether what is unique as a text stays so, where an identifier can be written in several
     * ways.
     */
    private boolean areAllDistinct(CollectionSpec collection, KeyGroup group, TextToUuid conversion)
        throws SQLException {
      EqualSpellings spellings = new EqualSpellings(schema.connection(), group, conversion);
      boolean distinct = true;
      for (Member member : group.changing(conversion)) {
        Optional<String> twice = spellings.find(member);
        twice.ifPresent(
            texts ->
                refuse(
                    collection,
                    RefusalCode.DUPLICATE_IDENTIFIERS,
                    "column " + member.shown(),
                    "it holds two spellings of one identifier: " + texts,
                    "merge their rows, or give one of them another identifier"));
        distinct &= twice.isEmpty();
      }
      return distinct;
    }

    private void bigint(CollectionSpec collection, Member key) throws SQLException {
      boolean isInteger =
          collection.narrow() ? INTEGERS.contains(key.column().base()) : isPlain(key, INTEGERS);
      boolean isBigint = key.column().base() == BuiltInType.BIGINT;
      if (!isInteger && !isBigint) {
        if (!refuseDomain(collection, key, INTEGERS)) {
          refuse(
              collection,
              RefusalCode.UNSUITABLE_TYPE,
              "column " + key.shown(),
              "it is %s, and declared to be %s"
                  .formatted(
                      key.column().type().declared(),
                      collection.narrow() ? "an integer" : "a bigint"),
              "declare its storage as it is, or name another column");
        }
        return;
      }
      if (collection.narrow() && isBigint) {
        refuse(
            collection,
            RefusalCode.NARROWING,
            "column " + key.shown(),
            "it is %s, and declared to be an integer: narrowing is not supported"
                .formatted(key.column().type().declared()),
            "declare storage: bigint");
        return;
      }
      KeyGroup group = group(collection, key);
      if (collection.narrow()) {
        narrow.add(new Narrow(collection.name(), key));
        return;
      }
      if (changes(collection, key, group, BuiltInType.BIGINT, INTEGERS)) {
        carry(collection, key, group, new Widening());
      }
    }

    private void text(CollectionSpec collection, Member key) throws SQLException {
      BuiltInType base = key.column().base();
      if (base == BuiltInType.UUID || base.isInteger()) {
        refuse(
            collection,
            RefusalCode.CONVERSION_TO_TEXT,
            "column " + key.shown(),
            "it is %s, and declared to be text: this change is not supported"
                .formatted(key.column().type().declared()),
            "declare its storage as it is");
      } else if (KindSql.of(collection).mint().isPresent()) {
        AddIdentifierColumn.plan(collection, schema, key.table(), draft);
      }
    }

    private KeyGroup group(CollectionSpec collection, Member key) throws SQLException {
      List<Member> start = new ArrayList<>(List.of(key));
      for (CollectionSpec.Reference reference : collection.referencedBy()) {
        Optional<Relation> found = schema.find(reference.table());
        Optional<Column> column =
            found.isPresent()
                ? schema.table(found.get().oid()).column(reference.column())
                : Optional.empty();
        if (column.isEmpty()) {
          refuse(
              collection,
              RefusalCode.MISSING_REFERENCE,
              "reference " + reference,
              "there is no such column in the database",
              "correct \"referenced-by\"");
        } else {
          start.add(new Member(schema.table(found.get().oid()), column.get()));
        }
      }
      return KeyGroup.of(schema, start);
    }

    /** Whether a column is declared with one of these types, and not with a domain over one. */
    private boolean isPlain(Member member, Set<BuiltInType> types) {
      return !member.column().type().domain() && types.contains(member.column().base());
    }

    /** Whether some of the columns have to change, and all can. */
    private boolean changes(
        CollectionSpec collection,
        Member key,
        KeyGroup group,
        BuiltInType to,
        Set<BuiltInType> from) {
      List<Member> changing =
          group.members().stream().filter(member -> member.column().base() != to).toList();
      List<Member> others = changing.stream().filter(member -> !isPlain(member, from)).toList();
      for (Member other : others) {
        refuse(
            collection,
            RefusalCode.CONNECTED_COLUMN_TYPE,
            "column " + other.shown(),
            "it refers to %s or is referred to by it, and is %s"
                .formatted(key.shown(), other.column().type().declared()),
            "change its type, or leave out the relation");
      }
      return !changing.isEmpty() && others.isEmpty();
    }

    private void carry(
        CollectionSpec collection, Member key, KeyGroup group, Conversion conversion) {
      List<KeyChanges.Key> keys = conversion.keepsOldShape() ? reshaped : widened;
      // The key of another collection that refers to this one, or is referred to, has brought it
      // along.
      boolean known = keys.stream().anyMatch(other -> other.group().contains(key));
      if (!known) {
        keys.add(
            new KeyChanges.Key(
                collection.name(),
                key,
                group,
                conversion,
                MintDefault.of(collection).expression()));
      }
    }

    /** Plans what changes its type, all that changes in the same way together. */
    private void retype() throws SQLException {
      if (!reshaped.isEmpty() && retype(new KeyChanges(schema, reshaped))) {
        for (Map.Entry<CollectionSpec, LiveTable> entry : reshapedTables.entrySet()) {
          AddIdentifierColumn.planAfterContraction(entry.getKey(), schema, entry.getValue(), draft);
        }
      }
      for (Narrow one : narrow) {
        for (KeyChanges.Key wider : widened) {
          if (wider.group().contains(one.key())) {
            draft.note(
                "%s becomes bigint with %s: declare storage: bigint"
                    .formatted(one.collection(), wider.collection()));
          }
        }
      }
      if (!widened.isEmpty()) {
        KeyChanges widening = new KeyChanges(schema, widened);
        Set<LiveTable> both = new HashSet<>(widening.tables());
        if (!reshaped.isEmpty()) {
          both.retainAll(new KeyChanges(schema, reshaped).tables());
        }
        if (reshaped.isEmpty() || both.isEmpty()) {
          retype(widening);
        } else {
          draft.note(
              "%s becomes bigint with the next plan: this one already changes other keys of the same tables"
                  .formatted(widening.shown()));
        }
      }
    }

    /** Returns whether it is planned, and not refused. */
    private boolean retype(KeyChanges changes) throws SQLException {
      schema.loadDetails(changes.tables());
      List<Refusal> refusals = new Preconditions(changes, draft).check();
      refusals.forEach(draft::refuse);
      if (refusals.isEmpty()) {
        new ChangeKeyType(changes, draft).plan();
        PlanNotes.add(changes, draft);
        for (LiveTable table : changes.tables()) {
          draft.noteTriggers(schema, table);
        }
      }
      return refusals.isEmpty();
    }

    private void refuse(
        CollectionSpec collection, RefusalCode code, String object, String reason, String remedy) {
      draft.refuse(new Refusal(code, collection.name(), object, reason, remedy));
    }

    /** Refuses a column whose type is a domain over one of the types that could change. */
    private boolean refuseDomain(CollectionSpec collection, Member key, Set<BuiltInType> types) {
      boolean domain = key.column().type().domain() && types.contains(key.column().base());
      if (domain) {
        refuse(
            collection,
            RefusalCode.DOMAIN_TYPE,
            "column " + key.shown(),
            "its type is the domain %s over %s; changing a domain is not supported"
                .formatted(key.column().type().declared(), key.column().base().sql()),
            "alter the column to the type %s first".formatted(key.column().base().sql()));
      }
      return domain;
    }

    private boolean needsPack(MigrationPlan plan) throws SQLException {
      boolean calls =
          plan.steps().stream()
              .flatMap(step -> Stream.concat(step.apply().stream(), step.undo().stream()))
              .anyMatch(
                  statement ->
                      statement.contains("mintmark.ulid")
                          || statement.contains("mintmark.uuidv7()")
                          || statement.contains("mintmark.try_ulid"));
      return calls && !schema.hasFunction("mintmark.pack_version()");
    }

    private MigrationPlan withPack(MigrationPlan plan) {
      List<Step> steps = new ArrayList<>();
      steps.add(
          Step.transaction(
                  Phase.CHECK,
                  "install the SQL pack, whose functions are needed",
                  "schema mintmark")
              .ddl(Ddl.oneWay(pack))
              .build());
      steps.addAll(plan.steps());
      return new MigrationPlan(steps, plan.refusals(), plan.notes(), plan.limits());
    }
  }
}
