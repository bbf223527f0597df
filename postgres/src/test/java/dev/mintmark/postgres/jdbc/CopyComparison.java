package dev.mintmark.postgres.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Mint;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Loads the same million minted rows by every way there is, in turns, and prints the median of each
 * beside that of binary COPY. Not one of the tests that the build runs:
 *
 * <pre>
 *   mvn -q -pl postgres -am test -Dtest=CopyComparison -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
class CopyComparison {
  private static final int ROWS = Integer.getInteger("rows", 1_000_000);
  private static final int ROUNDS = 3;
  private static final int BATCH = 1_000;
  private static final int TEXT_BUFFER = 1 << 16;
  private static final String[] COLUMNS = {"id", "title", "plays", "played_at"};
  private static final String INSERT = "insert into tracks values (?, ?, ?, ?)";
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final IdColumn<Ulid> ULIDS = IdColumn.ofUlids();

  private final TestDatabase database = TestServer.NEWEST.createDatabase();
  private final Mint<Ulid> ids = Ulid.ascending();

  private interface Load {
    void run() throws SQLException;
  }

  private record Way(String name, Load load, List<Double> millis) {
    Way(String name, Load load) {
      this(name, load, new ArrayList<>());
    }

    double median() {
      return millis.stream().sorted().toList().get(ROUNDS / 2);
    }
  }

  @Test
  void compare() throws SQLException {
    database.execute(
        "create table tracks"
            + " (id uuid primary key, title text, plays bigint, played_at timestamptz)");
    List<Way> ways =
        List.of(
            new Way("binary COPY (`BinaryCopy`)", this::binaryCopy),
            new Way("text COPY (the driver's `CopyIn`)", this::textCopy),
            new Way("INSERT in batches of 1,000, `reWriteBatchedInserts=true`", () -> insert(true)),
            new Way("INSERT in batches of 1,000", () -> insert(false)));
    for (int round = -1; round < ROUNDS; round++) {
      for (Way way : ways) {
        double taken = measure(way.load);
        if (round >= 0) { // The first warms up.
          way.millis.add(taken);
        }
      }
    }
    print(ways);
  }

  private double measure(Load load) throws SQLException {
    database.execute("truncate tracks");
    database.execute("checkpoint");
    long start = System.nanoTime();
    load.run();
    double millis = (System.nanoTime() - start) / 1e6;
    assertThat(database.number("select count(*) from tracks")).isEqualTo(ROWS);
    return millis;
  }

  private static void print(List<Way> ways) {
    System.out.printf(Locale.ROOT, "| %,d rows | ms | rows/s | |%n|---|--:|--:|--:|%n", ROWS);
    for (Way way : ways) {
      System.out.printf(
          Locale.ROOT,
          "| %s | %,.0f | %,.0f | %.1fx |%n",
          way.name,
          way.median(),
          1_000.0 * ROWS / way.median(),
          way.median() / ways.get(0).median());
    }
  }

  private void binaryCopy() throws SQLException {
    try (Connection connection = connect(false);
        BinaryCopy copy = BinaryCopy.into(connection, "tracks", COLUMNS)) {
      for (int i = 0; i < ROWS; i++) {
        copy.write(ids.mint(), title(i), (long) i, playedAt(i));
      }
      copy.finish();
    }
  }

  private void textCopy() throws SQLException {
    try (Connection connection = connect(false)) {
      CopyIn copy =
          connection.unwrap(PGConnection.class).getCopyAPI().copyIn("copy tracks from stdin");
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < ROWS; i++) {
        lines.append(ids.mint().toUuid()).append('\t').append(title(i)).append('\t').append(i);
        lines.append('\t').append(playedAt(i)).append('\n');
        if (lines.length() >= TEXT_BUFFER || i == ROWS - 1) {
          byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
          copy.writeToCopy(bytes, 0, bytes.length);
          lines.setLength(0);
        }
      }
      copy.endCopy();
    }
  }

  private void insert(boolean rewritten) throws SQLException {
    try (Connection connection = connect(rewritten);
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      connection.setAutoCommit(false);
      for (int i = 0; i < ROWS; i++) {
        ULIDS.bind(insert, 1, ids.mint());
        insert.setString(2, title(i));
        insert.setLong(3, i);
        insert.setObject(4, OffsetDateTime.ofInstant(playedAt(i), ZoneOffset.UTC));
        insert.addBatch();
        if (i % BATCH == BATCH - 1 || i == ROWS - 1) {
          insert.executeBatch();
        }
      }
      connection.commit();
    }
  }

  private Connection connect(boolean rewritten) throws SQLException {
    PGSimpleDataSource dataSource = database.newSessions();
    dataSource.setReWriteBatchedInserts(rewritten);
    return dataSource.getConnection();
  }

  private static String title(int i) {
    return "Track number " + i;
  }

  private static Instant playedAt(int i) {
    return START.plusMillis(i);
  }
}
