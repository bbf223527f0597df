package dev.mintmark.verify.bench;

import dev.mintmark.fixtures.bench.MeasuredOn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** All that is measured on one server, and what the page says of it. */
final class SqlMeasurements {
  private static final int ROUNDS = 5;

  /** Fewer, for they take long. */
  private static final int INSERT_ROUNDS = 3;

  private static final int SINGLE_ROWS = 20_000;

  /** How much larger than that of {@code uuidv7()} a primary key may be. */
  private static final double PRIMARY_KEY_TARGET = 1.05;

  private static final double INSERT_TARGET = 0.75;

  /** From which on it is one: what order saves grows with the index. */
  private static final long INSERT_TARGET_ROWS = 1_000_000;

  private static final Set<String> PRIMARY_KEYS_AIMED =
      Set.of(
          SqlMint.ULID.expression(),
          SqlMint.ULID_MONOTONIC.expression(),
          SqlMint.ULIDS.expression());

  private static final Map<String, Double> CONVERSION_TARGETS =
      Map.of("mintmark.ulid_text(id)", 2.0, "mintmark.ulid_uuid(ulid)", 3.5);

  private final SqlServer server;
  private final long rows;
  private final int majorVersion;

  /** What each mint left behind in the last round. */
  private final Map<String, Footprint> footprints = new HashMap<>();

  SqlMeasurements(SqlServer server, long rows) throws SQLException {
    this.server = server;
    this.rows = rows;
    this.majorVersion = server.connection().getMetaData().getDatabaseMajorVersion();
  }

  /** A table after its rows were inserted; descents: ids below that of the row inserted before. */
  private record Footprint(long primaryKeyBytes, long tableBytes, long walBytes, long descents) {}

  /** Measures everything. */
  String section() throws SQLException {
    createGiven();
    StringBuilder section = new StringBuilder();
    String version = "PostgreSQL " + server.version();
    section.append("## %s%n%n%s".formatted(version, MeasuredOn.here(version).line()));
    if (!server.isProcessorTimed()) {
      section.append("\nThis machine reports no processor time: all figures are elapsed time.\n");
    }
    generate(section);
    insert(section);
    insertSingly(section);
    convert(section);
    return section.toString();
  }

  /** The rows that everything else is computed from, and the sequence of a {@code bigserial}. */
  private void createGiven() throws SQLException {
    server.execute("create sequence numbers");
    server.execute(
        """
        create table given as
        select number, id, mintmark.ulid_text(id) as ulid
        from mintmark.ulids(%d) with ordinality drawn (id, number)
        """
            .formatted(rows));
    server.execute("vacuum analyze given");
  }

  private void generate(StringBuilder section) throws SQLException {
    SqlRace race = new SqlRace(ROUNDS);
    for (SqlMint mint : SqlMint.on(majorVersion)) {
      race.add(mint.expression(), query(mint.generate(rows)));
    }
    race.add(
        "mintmark.ulid_clock_forward()",
        query("select count(mintmark.ulid_clock_forward()) from given"));
    race.add("number", query("select count(number) from given"));

    section.append(
        """

        ### Generate %,d ids in one statement

        | | processor | | target | |
        |---|--:|--:|--:|---|
        """
            .formatted(rows));
    appendRows(section, race, this::generateTarget);
    section.append(
        """

        `ulid_monotonic()` also calls `mintmark.ulid_clock_forward()`, at most once a millisecond in each session: this is the additional
        cost of the first id of a millisecond. `number` reads the rows and mints nothing; every line includes this cost.
        """);
  }

  private double generateTarget(String name) {
    return switch (name) {
      case "mintmark.ulid()" -> majorVersion >= 18 ? 1.05 : 1.7;
      case "mintmark.ulids(n)" -> 1.6;
      case "mintmark.ulid_monotonic()" -> 2.8;
      default -> Double.NaN;
    };
  }

  private void insert(StringBuilder section) throws SQLException {
    SqlRace race = new SqlRace(INSERT_ROUNDS);
    for (SqlMint mint : SqlMint.on(majorVersion)) {
      race.add(mint.expression(), () -> insert(mint));
    }

    section.append(
        """

        ### Insert %,d rows in one statement

        The table has a primary key, with the mint as its default, and a `bigint`.

        | | processor | | elapsed | | target | | descents | table | WAL | primary key | relative to `uuidv7()` | target | |
        |---|--:|--:|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|---|
        """
            .formatted(rows));
    for (SqlRace.Result result : race.run()) {
      String name = result.name();
      Footprint footprint = footprint(name);
      section.append(
          "| `%s` | %s | %s | %s | %,d | %s | %s | %s | %s |%n"
              .formatted(
                  name,
                  cells(result.processor()),
                  cells(result.elapsed()),
                  verdict(result.processor().least(), insertTarget(name)),
                  footprint.descents(),
                  megabytes(footprint.tableBytes()),
                  megabytes(footprint.walBytes()),
                  megabytes(footprint.primaryKeyBytes()),
                  primaryKeyCells(name)));
    }
    section.append(
        """

        A descent is a row whose id is below that of the row inserted before it.
        """);
  }

  private double insertTarget(String name) {
    boolean isAimed = name.equals(SqlMint.ULID.expression()) && rows >= INSERT_TARGET_ROWS;
    return isAimed ? INSERT_TARGET : Double.NaN;
  }

  private String primaryKeyCells(String name) {
    SqlMint uuidv7 = majorVersion >= 18 ? SqlMint.NATIVE_UUIDV7 : SqlMint.UUIDV7;
    double ratio =
        (double) footprint(name).primaryKeyBytes()
            / footprint(uuidv7.expression()).primaryKeyBytes();
    double target = PRIMARY_KEYS_AIMED.contains(name) ? PRIMARY_KEY_TARGET : Double.NaN;
    return "%.2f | %s".formatted(ratio, verdict(ratio, target));
  }

  private Footprint footprint(String name) {
    return Objects.requireNonNull(footprints.get(name), name);
  }

  private SqlCost insert(SqlMint mint) throws SQLException {
    server.execute(mint.createTable());
    // So that none runs into the insert, and none has less to log because it came later.
    server.execute("checkpoint");
    long start = walBytes();
    SqlCost cost = server.cost(() -> server.execute(mint.insert(rows)));
    footprints.put(
        mint.expression(),
        new Footprint(
            server.number("select pg_relation_size('minted_pkey')"),
            server.number("select pg_relation_size('minted')"),
            walBytes() - start,
            server.number(
                """
                select count(*) filter (where id < before)
                from (select id, lag(id) over (order by number) as before from minted) ordered
                """)));
    server.execute("drop table minted");
    return cost;
  }

  private long walBytes() throws SQLException {
    return server.number("select pg_current_wal_lsn() - '0/0'::pg_lsn");
  }

  private void insertSingly(StringBuilder section) throws SQLException {
    SqlRace race = new SqlRace(ROUNDS);
    for (SqlMint mint : SqlMint.on(majorVersion)) {
      if (mint != SqlMint.ULIDS) {
        race.add(mint.expression(), () -> insertSingly(mint));
      }
    }

    section.append(
        """

        ### Insert %,d rows one by one

        One prepared statement over JDBC for each row, in one transaction. Most of the time is not spent in the mint; wide brackets mean
        that a ratio is imprecise. `ulid_monotonic()` includes its work in a new millisecond.

        | | processor | | elapsed | |
        |---|--:|--:|--:|--:|
        """
            .formatted(SINGLE_ROWS));
    for (SqlRace.Result result : race.run()) {
      section.append(
          "| `%s` | %s | %s |%n"
              .formatted(result.name(), cells(result.processor()), cells(result.elapsed())));
    }
  }

  private SqlCost insertSingly(SqlMint mint) throws SQLException {
    server.execute(mint.createTable());
    server.execute("checkpoint");
    SqlCost cost = server.cost(this::insertSingly);
    server.execute("drop table minted");
    return cost;
  }

  private void insertSingly() throws SQLException {
    Connection connection = server.connection();
    connection.setAutoCommit(false);
    try (PreparedStatement insert =
        connection.prepareStatement("insert into minted (number) values (?)")) {
      for (int row = 0; row < SINGLE_ROWS; row++) {
        insert.setLong(1, row);
        insert.executeUpdate();
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  private void convert(StringBuilder section) throws SQLException {
    SqlRace race = new SqlRace(ROUNDS);
    for (String expression :
        List.of(
            "gen_random_uuid()",
            "mintmark.ulid_text(id)",
            "mintmark.ulid_uuid(ulid)",
            "mintmark.ulid_time(id)",
            "id::text",
            "ulid")) {
      race.add(expression, query("select count(%s) from given".formatted(expression)));
    }

    section.append(
        """

        ### Convert %,d ids

        | | processor | | target | |
        |---|--:|--:|--:|---|
        """
            .formatted(rows));
    appendRows(section, race, name -> CONVERSION_TARGETS.getOrDefault(name, Double.NaN));
    section.append(
        """

        `id::text` is the text of the UUID; `ulid` only reads the text that `ulid_uuid` converts.
        """);
  }

  private SqlRace.Lap query(String sql) {
    return () -> server.cost(() -> server.number(sql));
  }

  private static void appendRows(
      StringBuilder section, SqlRace race, ToDoubleFunction<String> target) throws SQLException {
    for (SqlRace.Result result : race.run()) {
      double ratio = result.processor().least();
      section.append(
          "| `%s` | %s | %s |%n"
              .formatted(
                  result.name(),
                  cells(result.processor()),
                  verdict(ratio, target.applyAsDouble(result.name()))));
    }
  }

  private static String cells(SqlRace.Ratio ratio) {
    return "%.2f | (%.2f to %.2f)".formatted(ratio.least(), ratio.lowest(), ratio.highest());
  }

  /** The target, if there is one, and whether it is met. */
  private static String verdict(double ratio, double target) {
    if (Double.isNaN(target)) {
      return "|";
    }
    return "%s | %s".formatted(target, ratio <= target ? "met" : "**not met**");
  }

  private static String megabytes(long bytes) {
    return "%.1f MB".formatted(bytes / 1e6);
  }
}
