package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code mintmark find} on a database of the user's. */
class FindIT {
  private static final String SECRET = "a:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlBQkNERUY=";
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  private static EmbeddedDatabase database;
  private static Mintmark mintmark;
  private static Path directory;

  @BeforeAll
  static void start(@TempDir Path temporary) throws IOException, SQLException {
    directory = temporary;
    mintmark = Mintmark.in(directory);
    database = EmbeddedDatabase.startTemporary();
    Files.writeString(
        directory.resolve("mintmark.yaml"),
        """
        namespace: bobsburgers
        collections:
          payments:
            kind: sequence
            prefix: PM
            width: 6
            table: shop.payments
            column: number
            face: { mask: pay, key-label: payments }
            find: { columns: [number, amount] }
          meats: { kind: uuidv7, table: meats }
          drafts: { kind: ulid, table: drafts }
        """);
    execute(
        """
        create schema shop;
        create table shop.payments (number bigint primary key, amount numeric(9, 2), secret text);
        insert into shop.payments values (123, 12.50, 'hunter2');
        create table meats (id uuid primary key, cut text);
        insert into meats values ('017fe093-7adf-9932-aaaa-01fd0ba14d3f', E'ribs\\x1b[31m');
        create table drafts (id uuid);
        """);
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Within a time that is enough on a machine that is busy. */
  private static Outcome find(Mintmark as, String... arguments) {
    return findAsIs(
        as,
        Stream.concat(Stream.of("--timeout", "10m"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static Outcome findAsIs(Mintmark as, String... arguments) {
    return as.run(
        Stream.concat(Stream.of("find", "--database-url", database.jdbcUrl()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  @Test
  void thePageShowsWhatIsPrinted() {
    ShownCommand shown = ShownCommand.of(new Page("docs/find.md")).get(0);
    assertThat(shown.line()).isEqualTo("mintmark find PM000123");

    Outcome found = find(mintmark, "PM000123");

    assertThat(found.status()).as(found.err()).isZero();
    assertThat(found.out()).isEqualTo(shown.output());
    assertThat(found.err()).isEmpty();
  }

  @Test
  void columnsAreChosen() {
    assertThat(find(mintmark, "PM000123", "--all").out()).contains("hunter2");
    assertThat(find(mintmark, "PM000123", "--columns", "secret").outLines())
        .containsExactly("payments  shop.payments", "  secret  hunter2", "");
    assertThat(find(mintmark, ULID, "--collection", "meats", "--all").outLines())
        .containsExactly(
            "meats  public.meats",
            "  id   017fe093-7adf-9932-aaaa-01fd0ba14d3f",
            "  cut  ribs?[31m",
            "");
    assertThat(find(mintmark, ULID, "--collection", "meats").outLines()).hasSize(3);
  }

  @Test
  void theStatusSaysWhetherItIsKnown() {
    Outcome missing = find(mintmark, "PM000124");
    Outcome unknown = find(mintmark, "01FZG96YPZK4SANAG1ZM5T2K9A");

    assertThat(missing.status()).isEqualTo(1);
    assertThat(missing.out()).isEmpty();
    assertThat(missing.err())
        .isEqualTo("mintmark: no row of \"PM000124\" in payments, meats, drafts\n");
    assertThat(unknown.status()).isEqualTo(3);
    assertThat(unknown.err())
        .isEqualTo(
            "mintmark: not looked at: drafts because no valid index without a condition begins with"
                + " the column \"id\": create one\n"
                + "mintmark: no row of \"01FZG96YPZK4SANAG1ZM5T2K9A\" in payments, meats\n");
    assertThat(find(mintmark, ULID).status()).isZero();
  }

  @Test
  void aMaskIsOpenedWithTheSecret() {
    Mintmark withSecret = mintmark.with("MINTMARK_SECRET", SECRET);
    String mask = withSecret.run("mask", "show", "payments", "PM000123").out().strip();

    JsonNode found = find(withSecret, mask, "--json").json();
    Outcome closed = find(mintmark, mask);

    assertThat(found.path("id").asString()).isEqualTo(mask);
    assertThat(found.at("/collections/0/rows/0/values/1/text").asString()).isEqualTo("12.50");
    assertThat(closed.status()).isEqualTo(3);
    assertThat(closed.err()).contains("not looked at: payments because a face");
  }

  @Test
  void wrongUsageIsRejected() {
    for (List<String> wrong :
        List.<List<String>>of(
            List.of(),
            List.of("PM1", "--all", "--columns", "number"),
            List.of("PM1", "--collection", "paymnts"),
            List.of("PM1", "--timeout", "0s"),
            List.of("PM1", "--catalog", "missing.yaml"),
            List.of(" "))) {
      assertThat(findAsIs(mintmark, wrong.toArray(String[]::new)).status())
          .as(wrong.toString())
          .isEqualTo(2);
    }
    Outcome unreachable =
        mintmark.run("find", "--database-url", "postgresql://127.0.0.1:1/none", "PM1");
    assertThat(unreachable.status()).isEqualTo(3);
    assertThat(unreachable.err()).startsWith("mintmark: database ");
  }
}
