package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code mintmark migrate}, whose process, and whose server, are killed while it works: what comes
 * of it is what comes of a run that nobody disturbs.
 *
 * <p>The seed of where they are killed is in every failure's message; {@code
 * -Dmigrate-killed.seed=1} repeats it. With {@code -Dmigrate-killed.every} they are killed at every
 * single message that the program sends, which takes the better part of an hour.
 */
@Tag("matrix")
class MigrateKilledIT {
  private static final int PROCESS_KILLS = 8;
  private static final int SERVER_KILLS = 5;
  private static final boolean EVERY = Boolean.getBoolean("migrate-killed.every");
  private static final long SEED = Long.getLong("migrate-killed.seed", System.nanoTime());
  private static final Pattern URL =
      Pattern.compile("jdbc:postgresql://127.0.0.1:(?<port>\\d+)/mintmark\\?(?<login>.*)");
  private static final Path RESOURCES =
      Checkout.root().resolve("operations/src/test/resources/dev/mintmark/operations/migrate");

  private static Path directory;
  private static Path catalog;
  private static Mintmark mintmark;
  private static @Nullable EmbeddedDatabase server;
  private static CuttingProxy proxy;

  /** How many messages a run sends that nobody disturbs, and what comes of it. */
  private static int messages;

  private static List<String> baking;
  private static List<String> contracted;

  private final Random random = new Random(SEED);

  @BeforeAll
  static void migrateUndisturbed(@TempDir Path temporary) throws IOException, SQLException {
    directory = temporary;
    mintmark = Mintmark.in(directory);
    proxy = new CuttingProxy("mintmark.key_migration");
    restart();
    catalog = directory.resolve("shop.yaml");
    Files.writeString(
        catalog,
        """
        namespace: shop
        collections:
          orders: { kind: ulid, table: shop.orders, referenced-by: [shop.audit.order_ref] }
          customers: { kind: ulid, table: shop.customers }
        """);
    execute("mintmark", "create database original");
    execute("original", readResource("shop.sql"));
    copy("undisturbed");

    succeeds("undisturbed", "apply");
    messages = proxy.messages();
    baking = content("undisturbed");
    succeeds("undisturbed", "contract");
    contracted = content("undisturbed");
    assertThat(contracted).noneMatch(line -> line.contains("__") || line.contains("NOT VALID"));
  }

  @AfterAll
  static void stop() {
    proxy.close();
    stopServer();
  }

  @Test
  void theProcessIsKilledAgainAndAgain() throws SQLException {
    copy("killed");

    int kills = survive("killed", PROCESS_KILLS, MigrateKilledIT::killProcess);

    assertThat(kills).as("kills, seed %d", SEED).isGreaterThanOrEqualTo(PROCESS_KILLS / 2);
    assertThat(content("killed")).as("seed %d", SEED).isEqualTo(baking);
    succeeds("killed", "contract");
    assertThat(content("killed")).as("seed %d", SEED).isEqualTo(contracted);
  }

  @Test
  void theServerIsKilledAgainAndAgain() throws SQLException {
    copy("crashed");

    int kills =
        survive(
            "crashed", SERVER_KILLS, running -> Processes.crashPostgres(directory.resolve("data")));

    assertThat(kills).as("kills, seed %d", SEED).isGreaterThanOrEqualTo(SERVER_KILLS / 2);
    assertThat(content("crashed")).as("seed %d", SEED).isEqualTo(baking);
    succeeds("crashed", "contract");
    assertThat(content("crashed")).as("seed %d", SEED).isEqualTo(contracted);
  }

  private interface Killing {
    void kill(Mintmark.Running running);
  }

  private static void killProcess(Mintmark.Running running) {
    running.process().destroyForcibly();
  }

  /** Applies, killed and resumed, until it is baking; returns how often it was killed. */
  private int survive(String database, int killsWanted, Killing killing) throws SQLException {
    int kills = 0;
    int message = 0;
    String before = "";
    while (true) {
      String done = done(database);
      message = done.equals(before) ? message + 1 : 1;
      before = done;
      int at = EVERY ? message : 1 + random.nextInt(2 * messages / killsWanted);
      proxy.reset();
      CompletableFuture<Mintmark.Running> started = new CompletableFuture<>();
      boolean isToBeKilled = EVERY || kills < killsWanted;
      if (isToBeKilled) {
        proxy.cutAt(at, random.nextBoolean(), () -> killing.kill(started.join()));
      }
      started.complete(start(database, done.isEmpty() ? "apply" : "resume"));
      Outcome outcome = started.join().await();
      if (!isToBeKilled || !proxy.hasCut()) {
        assertThat(outcome.status()).as("seed %d: %s", SEED, outcome.err()).isZero();
        return kills;
      }
      kills++;
      recover(database);
      if (isBaking(database)) {
        return kills;
      }
    }
  }

  /** Starts the server where it was killed; else waits until the session of the program is gone. */
  private static void recover(String database) {
    try (Connection connection = connect("mintmark")) {
      String sessions = "select count(*) from pg_stat_activity where datname = '" + database + "'";
      Eventually.present(
          Patience.MAX,
          () ->
              answers(connection, sessions).equals(List.of("0"))
                  ? Optional.of(0)
                  : Optional.empty());
    } catch (SQLException e) {
      restart();
    }
  }

  private static void restart() {
    stopServer();
    server = EmbeddedDatabase.start(directory.resolve("data"));
    proxy.leadTo(Integer.parseInt(address().group("port")));
  }

  private static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  private static String serverUrl() {
    return Objects.requireNonNull(server).superuserUrl();
  }

  private static Matcher address() {
    Matcher address = URL.matcher(serverUrl());
    assertThat(address.matches()).isTrue();
    return address;
  }

  private static void succeeds(String database, String command) {
    proxy.reset();
    Outcome outcome = start(database, command).await();
    assertThat(outcome.status()).as(outcome.err()).isZero();
  }

  private static Mintmark.Running start(String database, String command) {
    String url =
        "jdbc:postgresql://127.0.0.1:%d/%s?%s&sslmode=disable&gssEncMode=disable"
            .formatted(proxy.port(), database, address().group("login"));
    return mintmark.start(
        "migrate", command, "--full-pace", "--catalog", catalog.toString(), "--database-url", url);
  }

  // ---- Databases

  private static void copy(String name) throws SQLException {
    execute("mintmark", "create database " + name + " template original");
  }

  private static Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        serverUrl().replaceFirst("/mintmark\\?", "/" + database + "?"));
  }

  private static void execute(String database, String sql) throws SQLException {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** How far its migration is; empty if none was begun. */
  private static String done(String database) throws SQLException {
    try (Connection connection = connect(database)) {
      if (answers(connection, "select to_regclass('mintmark.key_migration_step')")
          .contains("null")) {
        return "";
      }
      return String.join(
          "",
          answers(
              connection,
              "select state || coalesce(cursor::text, '') || rows_done from mintmark.key_migration_step order by ordinal"));
    }
  }

  /** Whether nothing is left to resume: the kill came after the last commit. */
  private static boolean isBaking(String database) throws SQLException {
    try (Connection connection = connect(database)) {
      return answers(connection, "select to_regclass('mintmark.key_migration') is not null")
              .contains("t")
          && answers(connection, "select state from mintmark.key_migration").contains("baking");
    }
  }

  /** The schema and all rows. */
  private static List<String> content(String database) throws SQLException {
    try (Connection connection = connect(database)) {
      List<String> content = new ArrayList<>(answers(connection, readResource("schema_text.sql")));
      for (String table :
          answers(
              connection,
              "select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                  + " where c.relkind in ('r', 'v') and n.nspname ~ '^shop' order by 1")) {
        content.add(table);
        content.addAll(answers(connection, "select t::text from " + table + " t order by 1"));
      }
      return content;
    }
  }

  private static String readResource(String name) {
    try {
      return Files.readString(RESOURCES.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first column of every row, as text. */
  private static List<String> answers(Connection connection, String sql) {
    List<String> answers = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        answers.add(String.valueOf(row.getString(1)));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return answers;
  }
}
