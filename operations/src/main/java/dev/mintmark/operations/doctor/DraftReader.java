package dev.mintmark.operations.doctor;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Quoted;
import dev.mintmark.operations.doctor.CatalogDraft.Remark;
import dev.mintmark.operations.doctor.DraftSchema.Candidate;
import dev.mintmark.operations.doctor.DraftSchema.Narrower;
import dev.mintmark.operations.doctor.DraftSchema.TableKey;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes one draft of a catalog. */
final class DraftReader {
  /** Rows that are read for values. */
  private static final int ROWS_MAX = 1000;

  /** Values that are looked at. */
  private static final int VALUES_MAX = 100;

  /** Types whose values say more about the kind than the type does. */
  private static final Set<String> TELLING = Set.of("uuid", "text", "varchar", "bpchar", "citext");

  private static final SqlFile PLACE = SqlFile.load(DraftReader.class, "draft_place");

  private final DraftProbe look;
  private final List<Remark> remarks = new ArrayList<>();

  DraftReader(DraftProbe look) {
    this.look = look;
  }

  private record Place(String database, Instant at, boolean isPublicFirst) {
    static Place read(ResultSet row) throws SQLException {
      return new Place(
          row.getString("database"),
          row.getObject("at", OffsetDateTime.class).toInstant(),
          row.getBoolean("is_public_first"));
    }

    /** A table as a catalog names it, so that nothing depends on a search path. */
    String shown(DraftTable table) {
      return isPublicFirst && table.schema().equals("public")
          ? table.name()
          : table.schema() + "." + table.name();
    }
  }

  /** What a column is called, plainly, that refers to a key, and of which type it is. */
  private record Called(String name, String type) {}

  /** A collection that is being drafted, and who refers to it. */
  private record Draft(
      String name, TableKey key, DraftKind kind, List<CollectionSpec.Reference> references) {}

  CatalogDraft read() throws SQLException {
    Place place = look.atCatalog(PLACE, Place::read).get(0);
    DraftSchema schema = look.atSchema(DraftSchema::read);
    List<Draft> drafts = drafts(schema.keys(), place);
    refer(drafts, schema, place);
    for (Narrower narrower : schema.narrower()) {
      drafts.stream()
          .filter(draft -> narrower.isOf(draft.key()))
          .forEach(
              draft ->
                  remark(
                      draft.name(),
                      "a plan makes %s bigint too, which a foreign key connects with it"
                          .formatted(
                              Quoted.of(
                                  place.shown(narrower.other()) + "." + narrower.otherColumn()))));
    }
    Catalog catalog =
        new Catalog(
            DraftName.of(place.database()),
            drafts.stream().map(draft -> collection(draft, place)).toList(),
            List.of());
    return new CatalogDraft(catalog, remarks);
  }

  private List<Draft> drafts(List<TableKey> keys, Place place) throws SQLException {
    Map<TableKey, DraftKind> kinds = new LinkedHashMap<>();
    for (TableKey key : keys) {
      Optional<DraftKind> kind = kind(key, place);
      kind.ifPresent(found -> kinds.put(key, found));
    }
    List<String> names = DraftName.ofAll(kinds.keySet().stream().map(TableKey::table).toList());
    List<Draft> drafts = new ArrayList<>();
    kinds.forEach(
        (key, kind) -> {
          String name = names.get(drafts.size());
          drafts.add(new Draft(name, key, kind, new ArrayList<>()));
          kind.doubt().ifPresent(doubt -> remark(name, doubt));
        });
    return drafts;
  }

  /** The kind of a table's key; empty, with a remark, where the table is left out. */
  private Optional<DraftKind> kind(TableKey key, Place place) throws SQLException {
    Optional<String> unfit = unfit(key);
    if (unfit.isPresent()) {
      leaveOut(key, unfit.get());
      return Optional.empty();
    }
    Optional<DraftKind> kind =
        DraftKind.of(key.type(), key.isMinted(), key.defaultExpression(), values(key), place.at());
    if (kind.isEmpty()) {
      leaveOut(
          key,
          "its key %s is of type %s, which no kind is kept in"
              .formatted(Quoted.of(key.column()), key.type()));
    }
    return kind;
  }

  private static Optional<String> unfit(TableKey key) {
    if (key.columns().isEmpty()) {
      return Optional.of("it has no primary key");
    }
    if (key.columns().size() > 1) {
      return Optional.of(
          "its primary key has several columns: "
              + key.columns().stream().map(Quoted::of).collect(Collectors.joining(", ")));
    }
    return key.table().isNamable() && DraftTable.isNamableColumn(key.column())
        ? Optional.empty()
        : Optional.of("a catalog cannot have these names");
  }

  private List<String> values(TableKey key) throws SQLException {
    if (!TELLING.contains(key.type()) || !key.readable() || key.rows().isEmpty()) {
      return List.of();
    }
    String sql =
        "select value::text from (%s) s".formatted(someValues(key.rows().get(), key.column()));
    return look.atRows(sql, row -> row.getString(1)).rows();
  }

  /** Declares as references what is called like one, has the type and holds what is there. */
  private void refer(List<Draft> drafts, DraftSchema schema, Place place) throws SQLException {
    Map<DraftTable, Optional<String>> rows = new HashMap<>();
    schema.keys().forEach(key -> rows.put(key.table(), key.rows()));
    Map<Called, List<Draft>> called = new HashMap<>();
    for (Draft draft : drafts) {
      TableKey key = draft.key();
      DraftName.ofReferences(key.table().name(), key.column())
          .forEach(
              name ->
                  called
                      .computeIfAbsent(new Called(name, key.type()), each -> new ArrayList<>())
                      .add(draft));
    }
    for (Candidate column : schema.candidates()) {
      List<Draft> targets =
          called.getOrDefault(new Called(DraftName.plain(column.name()), column.type()), List.of());
      if (!targets.isEmpty()) {
        refer(column, rows.getOrDefault(column.table(), Optional.empty()), targets, place);
      }
    }
  }

  private void refer(Candidate column, Optional<String> rows, List<Draft> named, Place place)
      throws SQLException {
    List<Draft> near =
        named.stream()
            .filter(draft -> draft.key().table().schema().equals(column.table().schema()))
            .toList();
    List<Draft> targets = near.isEmpty() ? named : near;
    Draft target = targets.get(0);
    Optional<String> fault =
        targets.size() > 1
            ? Optional.of("it is to " + Quoted.of(targets.get(1).name()) + " too")
            : fault(column, rows, target.key());
    String table = place.shown(column.table());
    if (fault.isEmpty()) {
      target.references().add(new CollectionSpec.Reference(table, column.name()));
    } else {
      remark(
          target.name(),
          "%s is called like a reference to it, but %s"
              .formatted(Quoted.of(table + "." + column.name()), fault.get()));
    }
  }

  /** Looks values of a column up; empty where there are some and all were found. */
  private Optional<String> fault(Candidate column, Optional<String> rows, TableKey target)
      throws SQLException {
    if (!column.table().isNamable() || !DraftTable.isNamable(column.name())) {
      return Optional.of("a catalog cannot have its name");
    }
    if (!column.readable()) {
      return Optional.of("its values cannot be read by this role");
    }
    if (rows.isEmpty()) {
      return Optional.of("there are no values to compare");
    }
    String sql =
        "select count(*), count(*) filter (where not exists (select from %s k where k.%s = s.value)) from (%s) s"
            .formatted(
                target.table().sql(),
                SqlName.quoted(target.column()),
                someValues(rows.get(), column.name()));
    DraftProbe.Seen<Optional<String>> seen =
        look.atRows(sql, row -> missing(row.getLong(1), row.getLong(2)));
    return seen.obstacle().isPresent()
        ? Optional.of("its values could not be looked up: " + seen.obstacle().get())
        : seen.rows().get(0);
  }

  private static Optional<String> missing(long values, long missing) {
    if (values == 0) {
      return Optional.of("there are no values to compare");
    }
    return missing == 0
        ? Optional.empty()
        : Optional.of("%s of %s values are not there".formatted(missing, values));
  }

  /** Reads a column's first values, as {@code value}. */
  private static String someValues(String rows, String column) {
    return "select value from (select %s as value from only %s limit %s) r where value is not null limit %s"
        .formatted(SqlName.quoted(column), rows, ROWS_MAX, VALUES_MAX);
  }

  private static CollectionSpec collection(Draft draft, Place place) {
    DraftKind kind = draft.kind();
    CollectionSpec.Builder spec =
        CollectionSpec.builder(draft.name(), kind.kind())
            .storage(kind.storage())
            .narrow(kind.narrow())
            .table(place.shown(draft.key().table()))
            .column(draft.key().column())
            .referencedBy(draft.references());
    kind.prefix().ifPresent(spec::prefix);
    if (kind.kind().has(Kind.Option.CASE)) {
      spec.caseSensitive(kind.caseSensitive());
    }
    return spec.build();
  }

  private void leaveOut(TableKey key, String why) {
    String table = Quoted.of(key.table().schema() + "." + key.table().name());
    remarks.add(new Remark(Optional.empty(), "table " + table + ": " + why));
  }

  private void remark(String collection, String text) {
    remarks.add(new Remark(Optional.of(collection), text));
  }
}
