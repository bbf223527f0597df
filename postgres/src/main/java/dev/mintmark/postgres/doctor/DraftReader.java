package dev.mintmark.postgres.doctor;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.doctor.CatalogDraft.Remark;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes one draft of a catalog. */
final class DraftReader {
  /** Rows that are read for values, and values that are read of them. */
  private static final int ROWS_MAX = 1000;

  private static final int VALUES_MAX = 100;

  private static final SqlFile PLACE = SqlFile.load(DraftReader.class, "draft_place");
  private static final SqlFile KEYS = SqlFile.load(DraftReader.class, "draft_keys");
  private static final SqlFile REFERENCES = SqlFile.load(DraftReader.class, "draft_references");

  private final DraftLook look;
  private final List<Remark> remarks = new ArrayList<>();

  DraftReader(DraftLook look) {
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
    String shown(String schema, String table) {
      return isPublicFirst && schema.equals("public") ? table : schema + "." + table;
    }
  }

  /**
   * The key of a table.
   *
   * @param rows where some are, as part of a statement; empty where none can be read
   */
  private record Key(
      String schema,
      String table,
      List<String> columns,
      String type,
      String defaultExpression,
      boolean identity,
      Optional<String> rows) {
    static Key read(ResultSet row) throws SQLException {
      return new Key(
          row.getString("schema"),
          row.getString("name"),
          List.of((String[]) row.getArray("columns").getArray()),
          row.getString("type"),
          row.getString("default_expression"),
          row.getBoolean("is_identity"),
          rowsOf(row));
    }

    String column() {
      return columns.get(0);
    }

    boolean isMinted() {
      return identity || !defaultExpression.isEmpty();
    }
  }

  /**
   * A column that may be a reference.
   *
   * @param rows as of a key
   */
  private record Column(
      String schema, String table, String name, String type, Optional<String> rows) {
    static Column read(ResultSet row) throws SQLException {
      return new Column(
          row.getString("schema"),
          row.getString("name"),
          row.getString("column"),
          row.getString("type"),
          rowsOf(row));
    }
  }

  private static Optional<String> rowsOf(ResultSet row) throws SQLException {
    Optional<String> schema = Optional.ofNullable(row.getString("rows_schema"));
    return schema.isPresent() && row.getBoolean("is_readable")
        ? Optional.of(sql(schema.get(), row.getString("rows_name")))
        : Optional.empty();
  }

  /** Reads a column's first values, as {@code value}. */
  private static String someValues(String rows, String column) {
    return "select value from (select %s as value from only %s limit %d) r where value is not null limit %d"
        .formatted(SqlName.quoted(column), rows, ROWS_MAX, VALUES_MAX);
  }

  /** A collection that is being drafted, and who refers to it. */
  private record Draft(
      String name, Key key, DraftKind kind, List<CollectionSpec.Reference> references) {}

  CatalogDraft read() throws SQLException {
    Place place = look.atCatalog(PLACE, Place::read).get(0);
    Map<Key, DraftKind> kinds = new LinkedHashMap<>();
    for (Key key : look.atCatalog(KEYS, Key::read)) {
      Optional<DraftKind> kind = kind(key, place);
      kind.ifPresent(drafted -> kinds.put(key, drafted));
    }
    List<Draft> drafts = drafts(kinds);
    for (Column column : look.atCatalog(REFERENCES, Column::read)) {
      refer(column, drafts, place);
    }
    Catalog catalog =
        new Catalog(
            DraftName.of(place.database()),
            drafts.stream().map(draft -> collection(draft, place)).toList(),
            List.of());
    return new CatalogDraft(catalog, remarks);
  }

  /** The kind of a table's key; empty, with a remark, where the table is left out. */
  private Optional<DraftKind> kind(Key key, Place place) throws SQLException {
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

  private static Optional<String> unfit(Key key) {
    if (key.columns().isEmpty()) {
      return Optional.of("it has no primary key");
    }
    if (key.columns().size() > 1) {
      return Optional.of(
          "its primary key has several columns: "
              + key.columns().stream().map(Quoted::of).collect(Collectors.joining(", ")));
    }
    boolean named =
        isNamable(key.schema()) && isNamable(key.table()) && isNamable(key.column(), true);
    return named ? Optional.empty() : Optional.of("a catalog cannot have these names");
  }

  private List<String> values(Key key) throws SQLException {
    boolean told = !Set.of("uuid", "text", "varchar", "bpchar", "citext").contains(key.type());
    Optional<String> source = key.rows();
    if (told || source.isEmpty()) {
      return List.of();
    }
    String sql = "select value::text from (%s) s".formatted(someValues(source.get(), key.column()));
    return look.atRows(sql, row -> row.getString(1)).rows();
  }

  private List<Draft> drafts(Map<Key, DraftKind> kinds) {
    List<Key> keys = List.copyOf(kinds.keySet());
    List<String> names =
        DraftName.ofAll(
            keys.stream().map(key -> new DraftName.Of(key.schema(), key.table())).toList());
    List<Draft> drafts = new ArrayList<>();
    kinds.forEach(
        (key, kind) -> {
          String name = names.get(drafts.size());
          drafts.add(new Draft(name, key, kind, new ArrayList<>()));
          kind.doubt().ifPresent(doubt -> remark(name, doubt));
        });
    return drafts;
  }

  /** Declares a column as a reference if its name, its type and its values say that it is one. */
  private void refer(Column column, List<Draft> drafts, Place place) throws SQLException {
    List<Draft> named =
        drafts.stream()
            .filter(draft -> draft.key().type().equals(column.type()))
            .filter(
                draft ->
                    DraftName.ofReferences(draft.key().table(), draft.key().column())
                        .contains(DraftName.plain(column.name())))
            .toList();
    List<Draft> near =
        named.stream().filter(draft -> draft.key().schema().equals(column.schema())).toList();
    List<Draft> targets = near.isEmpty() ? named : near;
    if (targets.isEmpty()) {
      return;
    }
    String shown = place.shown(column.schema(), column.table()) + "." + column.name();
    Draft target = targets.get(0);
    if (targets.size() > 1) {
      doubt(target, shown, "so it does to another table");
    } else if (!isNamable(column.schema())
        || !isNamable(column.table())
        || !isNamable(column.name())) {
      doubt(target, shown, "a catalog cannot have its name");
    } else {
      Optional<String> fault = fault(column, target.key());
      if (fault.isPresent()) {
        doubt(target, shown, fault.get());
      } else {
        target
            .references()
            .add(
                new CollectionSpec.Reference(
                    place.shown(column.schema(), column.table()), column.name()));
      }
    }
  }

  /** Looks values of a column up; empty where there are some and all were found. */
  private Optional<String> fault(Column column, Key target) throws SQLException {
    Optional<String> source = column.rows();
    if (source.isEmpty()) {
      return Optional.of("its values cannot be read by this role");
    }
    String sql =
        "select count(*), count(*) filter (where not exists (select from %s k where k.%s = s.value)) from (%s) s"
            .formatted(
                sql(target.schema(), target.table()),
                SqlName.quoted(target.column()),
                someValues(source.get(), column.name()));
    DraftLook.Seen<Optional<String>> seen =
        look.atRows(
            sql,
            row -> {
              long values = row.getLong(1);
              long missing = row.getLong(2);
              if (values == 0) {
                return Optional.of("there are no values to tell by");
              }
              return missing == 0
                  ? Optional.empty()
                  : Optional.of("%d of %d values are not there".formatted(missing, values));
            });
    return seen.obstacle().isPresent()
        ? Optional.of("its values could not be looked up: " + seen.obstacle().get())
        : seen.rows().get(0);
  }

  private static CollectionSpec collection(Draft draft, Place place) {
    DraftKind kind = draft.kind();
    CollectionSpec.Builder spec =
        CollectionSpec.builder(draft.name(), kind.kind())
            .storage(kind.storage())
            .table(place.shown(draft.key().schema(), draft.key().table()))
            .column(draft.key().column())
            .referencedBy(draft.references());
    kind.prefix().ifPresent(spec::prefix);
    if (kind.kind() == Kind.TEXT) {
      spec.caseSensitive(kind.caseSensitive());
    }
    return spec.build();
  }

  private void doubt(Draft target, String shown, String why) {
    remark(target.name(), Quoted.of(shown) + " is called like a reference to it, but " + why);
  }

  private void leaveOut(Key key, String why) {
    String table = Quoted.of(key.schema() + "." + key.table());
    remarks.add(new Remark(Optional.empty(), "table " + table + ": " + why));
  }

  private void remark(String collection, String text) {
    remarks.add(new Remark(Optional.of(collection), text));
  }

  /** A dot would be taken for the one behind a schema. */
  private static boolean isNamable(String name) {
    return isNamable(name, false);
  }

  private static boolean isNamable(String name, boolean withDot) {
    return !name.isBlank()
        && name.chars().noneMatch(Character::isISOControl)
        && (withDot || name.indexOf('.') < 0);
  }

  private static String sql(String schema, String table) {
    return SqlName.quoted(schema) + "." + SqlName.quoted(table);
  }
}
