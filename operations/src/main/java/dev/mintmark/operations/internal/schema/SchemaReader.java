package dev.mintmark.operations.internal.schema;

import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tables of a database from its catalog: one statement for what all of them have of a
 * kind. The search path must be {@code pg_catalog} alone, so that the server qualifies every name.
 * Statements about the catalog take no locks, but for those that write an expression out: {@link
 * #withExpressions}, {@link #withDefinitions}, {@link #checks} and {@link #triggers} take ACCESS
 * SHARE on its table.
 *
 * <p>Safe for use by as many threads as its statements are.
 */
public final class SchemaReader {
  /** What {@link #columns} reads, as {@link Statements} hears of it. */
  public static final String COLUMNS = "columns";

  /** What {@link #withExpressions} reads. */
  public static final String EXPRESSIONS = "defaults";

  /** What {@link #indexes} reads. */
  public static final String INDEXES = "indexes";

  /** What {@link #withDefinitions} reads. */
  public static final String DEFINITIONS = "definitions of indexes";

  /** What {@link #foreignKeys} reads. */
  public static final String FOREIGN_KEYS = "foreign keys";

  /** What {@link #sequences} reads. */
  public static final String SEQUENCES = "sequences";

  private static final SqlFile READ_COLUMNS = SqlFile.load(SchemaReader.class, "columns");
  private static final SqlFile READ_EXPRESSIONS = SqlFile.load(SchemaReader.class, "expressions");
  private static final SqlFile READ_INDEXES = SqlFile.load(SchemaReader.class, "indexes");
  private static final SqlFile READ_DEFINITIONS =
      SqlFile.load(SchemaReader.class, "index_definitions");
  private static final SqlFile READ_FOREIGN_KEYS = SqlFile.load(SchemaReader.class, "foreign_keys");
  private static final SqlFile READ_SEQUENCES = SqlFile.load(SchemaReader.class, "sequences");
  private static final SqlFile READ_CHECKS = SqlFile.load(SchemaReader.class, "checks");
  private static final SqlFile READ_TRIGGERS = SqlFile.load(SchemaReader.class, "triggers");

  /** The way in which statements are run. */
  public interface Statements {
    /**
     * Returns the rows of a statement.
     *
     * @param about what the statement reads, for messages
     */
    <T> List<T> query(SqlFile statement, String about, Map<String, ?> values, RowReader<T> reader)
        throws SQLException;
  }

  /** A column by its table and its place. */
  private record Place(long relation, int number) {}

  private record Definition(String text, Optional<String> condition) {}

  private final Statements statements;

  private SchemaReader(Statements statements) {
    this.statements = statements;
  }

  /** Returns a reader that runs its statements in a way of the caller's. */
  public static SchemaReader through(Statements statements) {
    return new SchemaReader(statements);
  }

  /** Returns a reader that runs its statements on a connection. */
  public static SchemaReader of(Connection connection) {
    return new SchemaReader(
        new Statements() {
          @Override
          public <T> List<T> query(
              SqlFile statement, String about, Map<String, ?> values, RowReader<T> reader)
              throws SQLException {
            return statement.query(connection, values, reader);
          }
        });
  }

  /** Returns the columns of tables, in the order of the tables' oids and then their own. */
  public List<Column> columns(Collection<Long> relations) throws SQLException {
    return statements.query(READ_COLUMNS, COLUMNS, relations(relations), Column::read);
  }

  /** Returns the columns with their expressions. */
  public List<Column> withExpressions(List<Column> columns) throws SQLException {
    List<Column> wanted = columns.stream().filter(Column::hasExpression).toList();
    if (wanted.isEmpty()) {
      return columns;
    }
    Map<Place, String> expressions = new HashMap<>();
    statements.query(
        READ_EXPRESSIONS,
        EXPRESSIONS,
        Map.of(
            "relations", wanted.stream().map(Column::relation).toArray(Long[]::new),
            "numbers", wanted.stream().map(Column::number).toArray(Integer[]::new)),
        row ->
            expressions.put(
                new Place(row.getLong("relation"), row.getInt("number")),
                Objects.requireNonNullElse(row.getString("expression"), "")));
    return columns.stream()
        .map(
            column ->
                column.withExpression(
                    Optional.ofNullable(
                        expressions.get(new Place(column.relation(), column.number())))))
        .toList();
  }

  /** Returns the indexes of tables. */
  public List<Index> indexes(Collection<Long> relations) throws SQLException {
    return statements.query(READ_INDEXES, INDEXES, relations(relations), Index::read);
  }

  /** Returns the indexes with their definitions and conditions; without those just dropped. */
  public List<Index> withDefinitions(List<Index> indexes) throws SQLException {
    if (indexes.isEmpty()) {
      return indexes;
    }
    Map<Long, Definition> definitions = new HashMap<>();
    statements.query(
        READ_DEFINITIONS,
        DEFINITIONS,
        Map.of("indexes", indexes.stream().map(Index::oid).toArray(Long[]::new)),
        row ->
            definitions.put(
                row.getLong("oid"),
                new Definition(
                    row.getString("definition"), Optional.ofNullable(row.getString("condition")))));
    return indexes.stream()
        .filter(index -> definitions.containsKey(index.oid()))
        .map(
            index -> {
              Definition definition = Objects.requireNonNull(definitions.get(index.oid()));
              return index.withDefinition(definition.text(), definition.condition());
            })
        .toList();
  }

  /** Returns the foreign keys of all tables. */
  public List<ForeignKey> foreignKeys() throws SQLException {
    return foreignKeys((Long @Nullable []) null);
  }

  /** Returns the foreign keys that are declared on some tables. */
  public List<ForeignKey> foreignKeys(Collection<Long> relations) throws SQLException {
    return foreignKeys(relations.toArray(Long[]::new));
  }

  private List<ForeignKey> foreignKeys(Long @Nullable [] relations) throws SQLException {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("relations", relations);
    return statements.query(READ_FOREIGN_KEYS, FOREIGN_KEYS, values, ForeignKey::read);
  }

  /**
   * Returns the sequences that columns of some tables own or take numbers from, with those uses.
   *
   * @param unused whether to return those as well that no column of any table takes numbers from
   */
  public List<Sequence> sequences(Collection<Long> relations, boolean unused) throws SQLException {
    Map<Long, Sequence> sequences = new LinkedHashMap<>();
    Map<Long, List<Sequence.Use>> uses = new HashMap<>();
    statements
        .query(
            READ_SEQUENCES,
            SEQUENCES,
            Map.of("relations", relations.toArray(Long[]::new), "unused", unused),
            Sequence::read)
        .forEach(
            sequence -> {
              long oid = sequence.relation().oid();
              sequences.putIfAbsent(oid, sequence);
              uses.computeIfAbsent(oid, each -> new ArrayList<>()).addAll(sequence.uses());
            });
    return sequences.values().stream()
        .map(sequence -> sequence.withUses(uses.getOrDefault(sequence.relation().oid(), List.of())))
        .toList();
  }

  /** Returns the check constraints of tables. */
  public List<Check> checks(Collection<Long> relations) throws SQLException {
    return statements.query(READ_CHECKS, "checks", relations(relations), Check::read);
  }

  /** Returns the triggers of tables. */
  public List<Trigger> triggers(Collection<Long> relations) throws SQLException {
    return statements.query(READ_TRIGGERS, "triggers", relations(relations), Trigger::read);
  }

  private static Map<String, Object> relations(Collection<Long> relations) {
    return Map.of("relations", relations.toArray(Long[]::new));
  }

  /** Returns the texts of an array; none if the array is null. */
  static List<String> texts(ResultSet row, String column) throws SQLException {
    Array array = row.getArray(column);
    return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
  }
}
