package dev.mintmark.app.cli.pack;

import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.view.Json;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.postgres.pack.Pack;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Measures mints in a schema of its own, which {@link #close} drops. The pack is installed into
 * that schema, so a pack that is in use is neither needed nor touched.
 *
 * <p>{@link #close} may be called by another thread, which ends the running statement.
 */
final class PackBench implements CloseAtExit.Resource {
  private static final int KIBIBYTE = 1024;

  private static final int PAGE_BYTES = 8192;

  /** A row of both tables and an entry of the index, all three of a text of 26 characters. */
  private static final long DISK_BYTES_OF_ROW = 256;

  /**
   * What is logged of both rows and the entry, and pages in full after a checkpoint: several times
   * what was measured without checkpoints.
   */
  private static final long WAL_BYTES_OF_ROW = 1024;

  /** The functions of the pack and the tables while they are empty. */
  private static final long BYTES_MIN = 4L << 20;

  /** The statements of a mint in a round that take about as long as their rows. */
  private static final int STEPS = 3;

  private final DataSource connections;
  private final String schema;
  private final long rows;
  private final int rounds;
  private final List<BenchMint> mints;
  private final BenchSql sql;
  private final ReentrantLock running = new ReentrantLock();
  private @Nullable Connection connection;
  private @Nullable Statement statement;
  private boolean isClosed;

  PackBench(DataSource connections, long rows, int rounds, List<BenchMint> mints) {
    this.connections = connections;
    this.schema = newSchema();
    this.rows = rows;
    this.rounds = rounds;
    this.mints = List.copyOf(mints);
    this.sql = new BenchSql(schema, rows);
  }

  static String newSchema() {
    byte[] random = new byte[4];
    new SecureRandom().nextBytes(random);
    return "mintmark_bench_" + HexFormat.of().formatHex(random);
  }

  /** The schema that is created and dropped. */
  String schema() {
    return schema;
  }

  /** The most bytes of tables and indexes at a time. */
  static long diskBytesMax(long rows) {
    return BYTES_MIN + rows * DISK_BYTES_OF_ROW;
  }

  /** The most bytes of write-ahead log of all rounds. */
  static long walBytesMax(long rows, int rounds, int mints) {
    return BYTES_MIN + rows * WAL_BYTES_OF_ROW * rounds * mints;
  }

  /** The rows that all rounds process. */
  long steps() {
    return rows * rounds * mints.size() * STEPS;
  }

  /** Returns the schemas that runs before this one have left, or that are in use by another. */
  static List<String> leftovers(DataSource connections) throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(BenchSql.text("leftovers"))) {
      List<String> found = new ArrayList<>();
      while (row.next()) {
        found.add(row.getString(1));
      }
      return found;
    }
  }

  /** Returns the version of the server, its settings, and the name of the database. */
  static Map<String, String> server(DataSource connections) throws SQLException {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(BenchSql.text("server"))) {
      row.next();
      Map<String, String> server = new LinkedHashMap<>();
      for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
        server.put(row.getMetaData().getColumnLabel(column), row.getString(column));
      }
      return server;
    }
  }

  /**
   * Returns the mint of a function without parameters; empty if there is none of that name, or if
   * it returns a set.
   *
   * @param name as SQL writes it, with its parentheses or without
   */
  static Optional<BenchMint> function(DataSource connections, String name) throws SQLException {
    String signature = name.endsWith("()") ? name : name + "()";
    try (Connection connection = connections.getConnection();
        PreparedStatement statement = connection.prepareStatement(BenchSql.text("function"))) {
      statement.setString(1, signature);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && !row.getBoolean("is_set")
            ? Optional.of(
                new BenchMint(
                    row.getString("call"), row.getString("type"), row.getString("call"), false))
            : Optional.empty();
      }
    }
  }

  /**
   * Measures all mints in turn, in each round.
   *
   * @param progress is told how many rows have been processed
   */
  List<BenchResult> run(LongConsumer progress) throws SQLException {
    running.lock();
    try {
      requireOpen();
      Pack.inSchema(schema).install(connections);
      try (Connection opened = connections.getConnection()) {
        connection = opened;
        execute(sql.sequence());
        return rounds(progress);
      }
    } finally {
      running.unlock();
    }
  }

  private List<BenchResult> rounds(LongConsumer progress) throws SQLException {
    Map<BenchMint, BenchResult> least = new LinkedHashMap<>();
    long done = 0;
    for (int round = 0; round < rounds; round++) {
      for (BenchMint mint : mints) {
        least.merge(mint, measured(mint), BenchResult::least);
        done += rows * STEPS;
        progress.accept(done);
      }
    }
    return List.copyOf(least.values());
  }

  private BenchResult measured(BenchMint mint) throws SQLException {
    execute(sql.of("create", mint));
    JsonNode generated = explained("", sql.of("generate", mint));
    JsonNode inserted = explained(", wal", sql.of("insert", mint));
    long[] sizes = sizes(mint);
    execute(sql.of("fill", mint));
    JsonNode joined = joined(mint);
    execute(sql.of("drop", mint));
    JsonNode hash = hash(joined.path("Plan"));
    return new BenchResult(
        mint,
        generated.path("Execution Time").asDouble(),
        inserted.path("Execution Time").asDouble(),
        sizes[0],
        sizes[1],
        inserted.path("Plan").path("WAL Bytes").asLong(),
        joined.path("Execution Time").asDouble(),
        hash.path("Peak Memory Usage").asLong() * KIBIBYTE,
        hash.path("Hash Batches").asLong(),
        joined.path("Plan").path("Temp Written Blocks").asLong() * PAGE_BYTES);
  }

  /** The settings end with the transaction, so they reach nobody else through a pooler. */
  private JsonNode joined(BenchMint mint) throws SQLException {
    Connection used = used();
    used.setAutoCommit(false);
    try {
      execute("set local enable_mergejoin to off");
      execute("set local enable_nestloop to off");
      execute("set local max_parallel_workers_per_gather to 0");
      return explained(", buffers", sql.of("join", mint));
    } finally {
      used.rollback();
      used.setAutoCommit(true);
    }
  }

  private static JsonNode hash(JsonNode plan) {
    if (plan.path("Node Type").asString("").equals("Hash")) {
      return plan;
    }
    for (JsonNode child : plan.path("Plans")) {
      JsonNode found = hash(child);
      if (!found.isMissingNode()) {
        return found;
      }
    }
    return plan.path("no hash");
  }

  /** Runs a statement and returns its plan with the server's measurements, which are its alone. */
  private JsonNode explained(String options, String query) throws SQLException {
    String explain =
        "explain (analyze, timing off, summary on, format json%s) %s".formatted(options, query);
    try (Statement prepared = statement();
        ResultSet row = prepared.executeQuery(explain)) {
      row.next();
      return Json.MAPPER.readTree(row.getString(1)).path(0);
    }
  }

  private long[] sizes(BenchMint mint) throws SQLException {
    try (Statement prepared = statement();
        ResultSet row = prepared.executeQuery(sql.of("sizes", mint))) {
      row.next();
      return new long[] {row.getLong("table_bytes"), row.getLong("index_bytes")};
    }
  }

  private void execute(String statements) throws SQLException {
    try (Statement prepared = statement()) {
      prepared.execute(statements);
    }
  }

  /** Returns a new statement, which {@link #close} cancels. */
  private synchronized Statement statement() throws SQLException {
    requireOpen();
    statement = used().createStatement();
    return statement;
  }

  private Connection used() {
    return Objects.requireNonNull(connection, "connection");
  }

  private synchronized void requireOpen() throws SQLException {
    if (isClosed) {
      throw new SQLException("the measurement was interrupted");
    }
  }

  /** Ends the running statement, waits for the end of the run, and drops the schema. */
  @Override
  public void close() {
    try {
      synchronized (this) {
        isClosed = true;
        if (statement != null && !statement.isClosed()) {
          statement.cancel();
        }
      }
      running.lock();
      try (Connection last = connections.getConnection();
          Statement drop = last.createStatement()) {
        drop.execute("drop schema if exists " + schema + " cascade");
      } finally {
        running.unlock();
      }
    } catch (SQLException e) {
      throw new StartupException(
          "schema %s could not be dropped: %s: drop it: drop schema %s cascade"
              .formatted(schema, e.getMessage(), schema),
          e);
    }
  }
}
