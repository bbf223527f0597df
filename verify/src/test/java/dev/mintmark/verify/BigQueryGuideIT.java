package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Form;
import dev.mintmark.Ulid;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.Driver;
import org.postgresql.PGConnection;

/** The commands of docs/bigquery-guide.md, run up to the file that BigQuery would load. */
class BigQueryGuideIT {
  private static final Page GUIDE = new Page("docs/bigquery-guide.md");

  /** A copy by psql: the statement is a single one of SQL, without a command of psql. */
  private static final Pattern COPY =
      Pattern.compile("(?:PGTZ=UTC )?psql -X -q -c \"(?<statement>[^\"]+)\"");

  private static final UUID ID = UUID.fromString("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
  private static final Instant TIME = Instant.parse("2022-03-31T15:23:55.999Z");
  private static final Ulid RECENT = Ulid.mint();
  private static final Ulid CUSTOMER = Ulid.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");

  @TempDir private static Path directory;
  private static EmbeddedDatabase server;
  private static Mintmark mintmark;

  @BeforeAll
  static void start() throws SQLException {
    server = EmbeddedDatabase.startTemporary();
    mintmark = connected();
    Outcome pack = mintmark.run("pack", "install");
    assertThat(pack.status()).as(pack.err()).isZero();
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(GUIDE.blocks("sql").get(0));
      statement.execute(
          """
          insert into invoices values
            (1, null, '%1$s', 10.50),
            (2, '%2$s', '%1$s', 20),
            (3, '%3$s', '%1$s', 30)
          """
              .formatted(CUSTOMER.toUuid(), ID, RECENT.toUuid()));
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void theFileHasReadableIdentifiersWhetherConvertedBesideOrInsideTheDatabase()
      throws IOException, SQLException {
    List<String> blocks = GUIDE.blocks("sh");
    assertThat(blocks).hasSize(3);
    String customer = CUSTOMER.toUuid() + "," + CUSTOMER;

    List<String> beside = run(blocks.get(0), "invoices.csv");
    List<String> inside = run(blocks.get(1), "invoices.csv");
    List<String> recent = run(blocks.get(2), "recent.csv");

    assertThat(beside)
        .containsExactly(
            "id,ulid,ulid_time,ulid_text,customer_id,customer_id_text,total",
            "1,,,," + customer + ",10.50",
            "2,%s,%s,%s,%s,20".formatted(ID, TIME, Ulid.of(ID), customer),
            "3,%s,%s,%s,%s,30".formatted(RECENT.toUuid(), RECENT.to(Form.TIME), RECENT, customer));
    assertThat(GUIDE.text()).contains("`" + beside.get(0) + "`");
    assertThat(inside)
        .as("times are spelled as PostgreSQL does")
        .containsExactlyElementsOf(beside.stream().map(BigQueryGuideIT::asInPostgres).toList());
    assertThat(recent).containsExactly(beside.get(0), beside.get(3));
    assertThat(directory.resolve("bad.csv")).doesNotExist();
  }

  /**
   * Runs a block and returns the lines of the file that it writes: with the copy done by the driver
   * and, where there is a psql, as it stands there too.
   */
  private static List<String> run(String block, String file) throws IOException, SQLException {
    Matcher copy = COPY.matcher(block);
    assertThat(copy.find()).as(block).isTrue();
    copy(copy.group("statement"), directory.resolve("copied.csv"));
    shell(copy.replaceFirst("cat copied.csv"));
    List<String> written = Files.readAllLines(directory.resolve(file));
    if (mintmark.shell("psql --version").status() == 0) {
      shell(block);
      assertThat(Files.readAllLines(directory.resolve(file))).isEqualTo(written);
    }
    return written;
  }

  private static void copy(String statement, Path file) throws IOException, SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        Statement session = connection.createStatement();
        OutputStream out = Files.newOutputStream(file)) {
      session.execute("set time zone 'UTC'");
      connection.unwrap(PGConnection.class).getCopyAPI().copyOut(statement, out);
    }
  }

  private static void shell(String block) {
    Outcome outcome = mintmark.shell(block.replace("./mintmark", "\"$0\""));
    assertThat(outcome.status()).as(outcome.err()).isZero();
  }

  /** {@code mintmark} and psql, told of the server as users tell them. */
  private static Mintmark connected() {
    Properties parts = Objects.requireNonNull(Driver.parseURL(server.jdbcUrl(), new Properties()));
    return Mintmark.in(directory)
        .with("PGHOST", parts.getProperty("PGHOST"))
        .with("PGPORT", parts.getProperty("PGPORT"))
        .with("PGDATABASE", parts.getProperty("PGDBNAME"))
        .with("PGUSER", parts.getProperty("user"))
        .with("PGPASSWORD", parts.getProperty("password"));
  }

  /** A time as {@code copy} writes it: without zeros at the end of the fraction. */
  private static String asInPostgres(String line) {
    return line.replaceFirst(
        "(\\d{4}-\\d\\d-\\d\\d)T([\\d:]{8})(?:\\.000|(\\.\\d+?)0*)Z,", "$1 $2$3+00,");
  }
}
