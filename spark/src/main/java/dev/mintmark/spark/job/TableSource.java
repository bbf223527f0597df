package dev.mintmark.spark.job;

import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.timestamp_micros;

import dev.mintmark.Quoted;
import dev.mintmark.spark.job.KeyRanges.KeyType;
import dev.mintmark.spark.job.Request.Table;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions;
import org.apache.spark.sql.jdbc.JdbcDialect;
import org.apache.spark.sql.jdbc.JdbcDialects;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A PostgreSQL table, read by ranges of a key, from its smallest to its largest value when the plan
 * was created. Rows whose key is null are a part of their own. If the table has been analyzed, the
 * ranges have about equally many rows; otherwise they are equally wide.
 *
 * <p>Each range is read in its own transaction. A row that exists during the whole run with the
 * same key is read once. A row that is inserted or deleted during the run, or whose key changes,
 * may be read or not.
 */
final class TableSource implements Source {
  /** The number of rows of a part, unless the number of parts is given. */
  private static final long PART_ROWS = 2_000_000;

  private final SparkSession spark;
  private final Table table;
  private final Key key;
  private final Consumer<String> warnings;

  /** The result of {@code table.sql}. */
  private record Key(
      String tableName,
      String quoted,
      KeyType type,
      Optional<String> nulls,
      OptionalLong rowsEstimated,
      List<BigInteger> histogram) {}

  private TableSource(SparkSession spark, Table table, Key key, Consumer<String> warnings) {
    this.spark = spark;
    this.table = table;
    this.key = key;
    this.warnings = warnings;
  }

  /**
   * Finds the table and the key by which it is read.
   *
   * @param readable the first column that becomes readable, which is the key if there is no better
   * @param warnings receives warnings for the user
   * @throws IllegalArgumentException if the table or the column does not exist, or the column
   *     cannot be the key
   */
  static TableSource open(
      SparkSession spark, Table table, String readable, Consumer<String> warnings) {
    try (Connection connection = connect(table);
        PreparedStatement statement = connection.prepareStatement(sql("table"))) {
      statement.setString(1, table.splitColumn().orElse(null));
      statement.setString(2, readable);
      statement.setString(3, table.table());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalArgumentException(
              "--table %s: there is no such table in %s"
                  .formatted(Quoted.of(table.table()), table.shownUrl()));
        }
        return new TableSource(spark, table, key(table, row, warnings), warnings);
      }
    } catch (SQLException e) {
      throw new JobException("%s: %s".formatted(table, e.getMessage()), e);
    }
  }

  private static Key key(Table table, ResultSet row, Consumer<String> warnings)
      throws SQLException {
    String tableName = row.getString("table_name");
    String column = row.getString("split_column");
    String typeName = row.getString("split_type");
    if (typeName == null) {
      throw PartConversion.noSuchColumn(
          table.splitColumn().isPresent() ? "--split-column" : "--column",
          column,
          List.of((String[]) row.getArray("column_names").getArray()));
    }
    KeyType type =
        KeyType.of(typeName)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        ("%s cannot be read by ranges of %s, which has the type %s: choose a column"
                                + " of the type uuid, smallint, integer or bigint with"
                                + " --split-column")
                            .formatted(tableName, Quoted.of(column), typeName)));
    if (row.getBoolean("split_unindexed")) {
      warnings.accept(
          "no index of %s begins with %s: each range reads the whole table"
              .formatted(tableName, Quoted.of(column)));
    }
    return new Key(
        tableName,
        row.getString("split_quoted"),
        type,
        Optional.ofNullable(row.getString("split_nulls")),
        rowsEstimated(row),
        histogram(type, row.getArray("histogram")));
  }

  private static OptionalLong rowsEstimated(ResultSet row) throws SQLException {
    long rows = row.getLong("rows_estimated");
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(rows);
  }

  private static List<BigInteger> histogram(KeyType type, @Nullable Array bounds)
      throws SQLException {
    return bounds == null
        ? List.of()
        : Stream.of((String[]) bounds.getArray()).map(type::number).toList();
  }

  @Override
  public String origin() {
    return key.tableName;
  }

  @Override
  public StructType schema() {
    return reader().jdbc(table.url(), key.tableName, login(table)).schema();
  }

  @Override
  public List<Part> divide(OptionalInt parts) {
    int wanted = parts.orElseGet(this::partsByRows);
    List<Part> divided = new ArrayList<>();
    List<String> ranges = ranges(Math.multiplyExact(wanted, table.connections()));
    for (int from = 0; from < ranges.size(); from += table.connections()) {
      int to = Math.min(ranges.size(), from + table.connections());
      divided.add(Part.ofTable(divided.size() + 1, ranges.subList(from, to)));
    }
    key.nulls.ifPresent(nulls -> divided.add(Part.ofTable(divided.size() + 1, List.of(nulls))));
    return divided;
  }

  private int partsByRows() {
    if (key.rowsEstimated.isEmpty()) {
      warnings.accept(
          ("%s is read as one part, because PostgreSQL has no estimate of its rows: use --parts, or"
                  + " analyze it if it is a table")
              .formatted(key.tableName));
    }
    return (int) Math.min(PARTS_MAX, 1 + key.rowsEstimated.orElse(0) / PART_ROWS);
  }

  private List<String> ranges(int count) {
    String sql =
        sql("bounds").formatted(key.tableName, key.quoted, key.type.literal(key.type.smallest()));
    try (Connection connection = connect(table);
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      String first = row.getString("first");
      return first == null ? List.of() : ranges(first, row.getString("last"), count);
    } catch (SQLException e) {
      throw new JobException("%s: %s".formatted(table, e.getMessage()), e);
    }
  }

  /**
   * Uses only the bounds of the histogram between the current first and last key: the histogram is
   * as old as the last {@code analyze}.
   */
  private List<String> ranges(String firstKey, String lastKey, int count) {
    BigInteger first = key.type.number(firstKey);
    BigInteger last = key.type.number(lastKey);
    Stream<BigInteger> within =
        key.histogram.stream()
            .filter(bound -> bound.compareTo(first) > 0 && bound.compareTo(last) < 0);
    List<BigInteger> quantiles =
        Stream.concat(Stream.concat(Stream.of(first), within), Stream.of(last)).toList();
    return KeyRanges.conditions(key.type, key.quoted, quantiles, count);
  }

  @Override
  public void checkUnchanged(Plan plan) {
    if (!origin().equals(plan.origin())) {
      throw new IllegalArgumentException(
          "--table %s was %s and is %s; continue with the former, or start over with --restart"
              .formatted(table.table(), plan.origin(), origin()));
    }
    if (!schema().equals(StructType.fromJson(plan.schema()))) {
      throw new IllegalArgumentException(
          "the columns of %s have changed since the first run; use --restart to start over"
              .formatted(key.tableName));
    }
  }

  @Override
  public Dataset<Row> read(Plan plan, Part part) {
    StructType schema = schema();
    if (!schema.equals(StructType.fromJson(plan.schema()))) {
      throw new JobException(
          "the columns of %s have changed during the run; use --restart to start over"
              .formatted(key.tableName));
    }
    // The plan may be of a run with more connections.
    return rows(schema, part.conditions().toArray(String[]::new)).coalesce(table.connections());
  }

  /**
   * Returns the rows of some ranges. A time without a zone is read as a number of microseconds:
   * Spark would read it as a time in the zone of the executor, and move a time that this zone skips
   * by an hour.
   */
  private Dataset<Row> rows(StructType schema, String[] conditions) {
    JdbcDialect dialect = JdbcDialects.get(table.url());
    List<String> stored = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    for (StructField field : schema.fields()) {
      String quoted = dialect.quoteIdentifier(field.name());
      Column column = PartConversion.column(field.name());
      if (field.dataType().equals(DataTypes.TimestampNTZType)) {
        stored.add("(extract(epoch from %1$s) * 1000000)::bigint as %1$s".formatted(quoted));
        Column time = timestamp_micros(column).cast(field.dataType());
        columns.add(time.as(field.name(), field.metadata()));
      } else {
        stored.add(quoted);
        columns.add(column);
      }
    }
    String query = "(select %s from %s) stored".formatted(String.join(", ", stored), key.tableName);
    return reader()
        .jdbc(table.url(), query, conditions, login(table))
        .select(columns.toArray(Column[]::new));
  }

  @Override
  public Column isSuspect(Plan plan) {
    return lit(false);
  }

  /** A table may change: the description of this class says what is read then. */
  @Override
  public void checkRead(Part part, boolean hasSuspects) {}

  @Override
  public void checkAllRead(Plan plan) {}

  private DataFrameReader reader() {
    return spark
        .read()
        .option("fetchsize", table.fetchRows())
        // A time without a zone must not get one.
        .option("preferTimestampNTZ", "true");
  }

  /** Connects as Spark does, which finds drivers in {@code --jars}. */
  private static Connection connect(Table table) {
    Map<String, String> options = new TreeMap<>();
    login(table).forEach((name, value) -> options.put((String) name, (String) value));
    options.put(JDBCOptions.JDBC_URL(), table.url());
    options.put(JDBCOptions.JDBC_TABLE_NAME(), table.table());
    var scalaOptions =
        scala.collection.immutable.Map$.MODULE$.<String, String>from(
            CollectionConverters.asScala(options));
    return JdbcDialects.get(table.url())
        .createConnectionFactory(new JDBCOptions(scalaOptions))
        .apply(-1);
  }

  private static Properties login(Table table) {
    Properties login = new Properties();
    table.user().ifPresent(user -> login.setProperty("user", user));
    table.password().ifPresent(password -> login.setProperty("password", password));
    login.setProperty("ApplicationName", "mintmark");
    return login;
  }

  private static String sql(String name) {
    try (InputStream file = TableSource.class.getResourceAsStream(name + ".sql")) {
      if (file == null) {
        throw new IllegalArgumentException("no statement " + name + ".sql");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
