package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.PoolSpec.AfterFailover;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.database.TableSet;
import dev.mintmark.app.view.Json;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import dev.mintmark.postgres.pool.ClaimResult.Granted;
import dev.mintmark.postgres.pool.ClaimResult.Stopped;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A backup, and what a database restored from it grants. */
@Tag("long")
class BackupCommandsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  /** A restore changes what says which history goes on; everything else is as it was. */
  private static final List<String> OF_THE_HISTORY =
      List.of("pool", "pool_epoch", "pool_block", "pool_free", "pool_quarantine", "access_audit");

  /** What every sweep writes. */
  private static final List<String> OF_SWEEPS = List.of("pool_sweep", "pool_usage");

  /** A role that may read all tables of Mintmark, and has no other rights. */
  private static final String READER = "backup_reader";

  private static final String BACKUPS_THAT_WAITED =
      """
      select count(*)
      from pg_stat_activity
      where datname = current_database()
        and application_name = 'mintmark-backup'
        and wait_event_type = 'Lock'
        and query_start < clock_timestamp() - interval '2 seconds'
      """;

  @TempDir Path directory;

  private static Outcome run(String... arguments) {
    return Outcome.of(arguments);
  }

  private Path file() {
    return directory.resolve("a.zip");
  }

  private Path data() {
    return directory.resolve("data");
  }

  private Outcome backup(String url) {
    return run("backup", file().toString(), "--database-url", url);
  }

  private Outcome restore(String... options) {
    return run(
        Stream.concat(
                Stream.of("restore", file().toString(), "--data", data().toString()),
                Stream.of(options))
            .toArray(String[]::new));
  }

  private static String url(TestDatabase database) {
    return url(database, "postgres");
  }

  private static String url(TestDatabase database, String role) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=%s"
        .formatted(database.port(), database.name(), role);
  }

  /** Makes the tables as our program does, with pools, claims and a key. */
  private static String filled(TestServer server) {
    return fill(server.createDatabase());
  }

  private static String fill(TestDatabase database) {
    String url = url(database);
    try (Database opened = Database.connect(DatabaseAddress.parse(url));
        Pools pools = Pools.over(opened.connectionPool("test", 2))) {
      pools.create(spec("leased").withLease(HOUR));
      pools.create(spec("kept"));
      pools.create(
          spec("trusting").withLease(HOUR).withAfterFailover(Optional.of(AfterFailover.TRUST)));
      for (String pool : List.of("leased", "kept", "trusting")) {
        assertThat(claim(pools, pool, "before \\N 'ü'")).isInstanceOf(Granted.class);
        Claim gone = ((Granted) claim(pools, pool, "gone")).claim();
        pools.open(pool).release(gone.value(), gone.token());
      }
    }
    assertThat(run("key", "create", "--admin", "--database-url", url).status).isZero();
    return url;
  }

  private static PoolSpec spec(String name) {
    return PoolSpec.of(name, List.of(Block.parse("10.0.0.0/28")));
  }

  private static Object claim(Pools pools, String pool, String client) {
    return pools.open(pool).claim(ClaimRequest.of(client));
  }

  private static Map<String, List<String>> rows(String url) throws SQLException {
    Map<String, List<String>> rows = new TreeMap<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (TableSet set : List.of(TableSet.POOLS, TableSet.ACCESS)) {
        for (String table : set.tables()) {
          List<String> found = new ArrayList<>();
          try (ResultSet row =
              statement.executeQuery(
                  "select t::text from mintmark.%s t order by 1".formatted(table))) {
            while (row.next()) {
              found.add(row.getString(1));
            }
          }
          rows.put(table, found);
        }
      }
    }
    return rows;
  }

  /**
   * From each version of PostgreSQL into the embedded one: an upgrade, and a restore after loss.
   */
  @OnServers
  void whatWasHeldIsHeldAgainAndNothingElseIsGrantedBeforeItIsSafe(TestServer server)
      throws SQLException, IOException {
    String url = filled(server);

    Outcome made = backup(url);

    assertThat(made.status).as(made.err).isZero();
    assertThat(made.out).startsWith(file() + ": 23 tables, ");
    assertThat(Files.getPosixFilePermissions(file()))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(directory).isDirectoryNotContaining("glob:**/.mintmark-*");
    Map<String, List<String>> before = rows(url);
    long lost;
    try (Database opened = Database.connect(DatabaseAddress.parse(url));
        Pools pools = Pools.over(opened.connectionPool("test", 2))) {
      lost = ((Granted) claim(pools, "leased", "later")).claim().token();
    }

    Outcome restored = restore();

    assertThat(restored.status).as(restored.err).isZero();
    assertThat(restored.out)
        .contains(
            data() + ": 23 tables, ",
            "pool leased: values that are free rest until ",
            "pool trusting: values that are free rest until ",
            "pool kept: grants nothing until mintmark pool quarantine kept --all --for TIME");
    try (EmbeddedDatabase embedded = EmbeddedDatabase.start(data());
        Database opened = Database.over(embedded);
        Pools pools = Pools.over(opened.connectionPool("test", 2))) {
      Map<String, List<String>> after = rows(embedded.jdbcUrl());
      before.keySet().removeAll(OF_THE_HISTORY);
      before.keySet().removeAll(OF_SWEEPS);
      assertThat(after).containsAllEntriesOf(before);
      assertThat(claim(pools, "leased", "before \\N 'ü'")).isInstanceOf(AlreadyHeld.class);
      assertThat(claim(pools, "leased", "new")).isInstanceOf(Exhausted.class);
      assertThat(claim(pools, "trusting", "new")).isInstanceOf(Exhausted.class);
      assertThat(claim(pools, "kept", "before \\N 'ü'")).isInstanceOf(AlreadyHeld.class);
      assertThat(claim(pools, "kept", "new")).isInstanceOf(Stopped.class);
      assertThat(pools.open("kept").resume()).isTrue();
      assertThat(((Granted) claim(pools, "kept", "new")).claim().token())
          .as("beyond every token that was granted and lost")
          .isGreaterThan(lost);
    }
    assertThat(run("audit", "--data", data().toString(), "--limit", "1").out)
        .contains("restore", "exit 0");
  }

  /** Clients may have claimed from all of it. */
  @Test
  void whatWasDeclaredAfterTheBackupRestsToo() throws SQLException, IOException {
    backup(filled(TestServer.NEWEST));
    Path catalog =
        catalog(
            """
            namespace: shop
            pools:
              leased: { blocks: [10.0.0.0/28, 10.1.0.0/28], lease: 30d }
              kept: { blocks: [10.0.0.0/28], lease: 1h }
              trusting: { blocks: [10.0.0.0/28], lease: 1h, after-failover: trust }
              added: { blocks: [10.2.0.0/28], lease: 1h }
            """);

    Outcome restored = restore("--catalog", catalog.toString());

    assertThat(restored.status).as(restored.err).isZero();
    assertThat(restored.err).doesNotContain("warning");
    assertThat(restored.out.lines().filter(line -> line.startsWith("pool ")))
        .extracting(line -> line.replaceFirst(" until .*", ""))
        .containsExactly(
            "pool kept: grants nothing",
            "pool leased: values that are free rest",
            "pool trusting: values that are free rest",
            "pool added: values that are free rest");
    try (EmbeddedDatabase embedded = EmbeddedDatabase.start(data());
        Database opened = Database.over(embedded);
        Pools pools = Pools.over(opened.connectionPool("test", 2))) {
      assertThat(pools.open("leased").spec().blocks()).hasSize(2);
      for (String pool : List.of("leased", "trusting", "added")) {
        assertThat(claim(pools, pool, "new")).as(pool).isInstanceOf(Exhausted.class);
      }
      assertThat(claim(pools, "kept", "new"))
          .as("claims of the time without a lease have no end")
          .isInstanceOf(Stopped.class);
      assertThat(blocksThatRest(embedded.jdbcUrl(), "leased", "29 days")).isEqualTo(2);
    }
  }

  private static int blocksThatRest(String url, String pool, String time) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                select count(*)
                from mintmark.pool_block
                join mintmark.pool using (pool_id)
                where name = '%s' and not_before > now() + interval '%s'
                """
                    .formatted(pool, time))) {
      row.next();
      return row.getInt(1);
    }
  }

  private Path catalog(String text) throws IOException {
    return Files.writeString(directory.resolve("catalog.yaml"), text);
  }

  /** One of several databases was backed up, and it is not known which. */
  @Test
  void aCatalogThatDoesNotFitDoesNotKeepABackupFromBeingRestored() throws IOException {
    backup(filled(TestServer.NEWEST));
    Path catalog =
        catalog(
            """
            namespace: shop
            databases: { home: {}, eu: {} }
            pools:
              leased: { blocks: [10.0.0.0/24], lease: 1h }
              trusting: { blocks: [10.0.0.0/28, 10.1.0.0/28], lease: 1h, database: eu }
              added: { blocks: [10.2.0.0/28], lease: 1h }
            """);

    Outcome restored = restore("--catalog", catalog.toString());

    assertThat(restored.status).as(restored.err).isZero();
    assertThat(restored.err)
        .contains("warning: not as declared in the catalog: ", "10.0.0.0/24", "10.0.0.0/28");
    try (EmbeddedDatabase embedded = EmbeddedDatabase.start(data());
        Database opened = Database.over(embedded);
        Pools pools = Pools.over(opened.connectionPool("test", 2))) {
      assertThat(pools.names()).containsExactlyInAnyOrder("kept", "leased", "trusting");
      assertThat(pools.open("trusting").spec().blocks()).hasSize(2);
      assertThat(claim(pools, "leased", "new")).isInstanceOf(Exhausted.class);
      assertThat(claim(pools, "trusting", "new")).isInstanceOf(Exhausted.class);
    }
  }

  @Test
  void aMalformedCatalogIsRefusedBeforeAnythingIsRestored() throws IOException {
    backup(filled(TestServer.NEWEST));
    Path catalog = catalog("pools: 7");

    Outcome refused = restore("--catalog", catalog.toString());

    assertThat(refused.status).isEqualTo(2);
    assertThat(data()).doesNotExist();
    assertThat(restore("--catalog", catalog.toString(), "--no-quarantine").status)
        .as("not read")
        .isZero();
  }

  @Test
  void withoutQuarantineAllPoolsGoOn() {
    String url = filled(TestServer.NEWEST);
    backup(url);

    Outcome restored = restore("--no-quarantine", "--json");

    assertThat(restored.status).as(restored.err).isZero();
    JsonNode json = Json.MAPPER.readTree(restored.out);
    assertThat(json.path("pools").size()).isZero();
    assertThat(json.path("tables").intValue()).isEqualTo(23);
    try (EmbeddedDatabase embedded = EmbeddedDatabase.start(data());
        Database opened = Database.over(embedded);
        Pools pools = Pools.over(opened.connectionPool("test", 2))) {
      for (String pool : List.of("leased", "kept", "trusting")) {
        assertThat(claim(pools, pool, "new")).as(pool).isInstanceOf(Granted.class);
      }
    }
  }

  /** A server that was killed, or is slow, has not settled every pool. */
  @Test
  void withoutQuarantineAPoolThatHadAFailoverToDealWithDoesNotGoOn() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    fill(database);
    database.execute(
        """
        insert into mintmark.pool_epoch (number, epoch, timeline, system_identifier, went_back, last_token)
        values (
          2, gen_random_uuid(), mintmark.pool_timeline(), mintmark.pool_system(), false,
          mintmark.pool_last_token());
        update mintmark.pool
        set epoch = (select epoch from mintmark.pool_epoch where number = 2)
        where name = 'kept'
        """);
    assertThat(backup(url(database)).status).isZero();

    Outcome restored = restore("--no-quarantine");

    assertThat(restored.status).as(restored.err).isZero();
    assertThat(restored.out)
        .contains("pool leased: values that are free rest until ", "pool trusting: goes on")
        .doesNotContain("kept");
    try (EmbeddedDatabase embedded = EmbeddedDatabase.start(data());
        Database opened = Database.over(embedded);
        Pools pools = Pools.over(opened.connectionPool("test", 2))) {
      assertThat(claim(pools, "leased", "new")).isInstanceOf(Exhausted.class);
      assertThat(claim(pools, "kept", "new")).isInstanceOf(Granted.class);
      assertThat(claim(pools, "trusting", "new")).isInstanceOf(Granted.class);
    }
  }

  @Test
  void aBackupAfterAFailoverThatNoServerHasSeenIsNotComplete() throws IOException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    fill(database);
    grantReading(database);
    database.execute("update mintmark.pool_epoch set timeline = '000000FF'");
    assertThat(backup(url(database, READER)).status).isZero();

    Outcome refused = restore("--no-quarantine");

    assertThat(refused.status).isEqualTo(3);
    assertThat(refused.err).contains("claims may be lost: restore it without --no-quarantine");
    assertThat(data()).doesNotExist();
    change(
        "/manifest.json",
        text ->
            text.replace("\"format\":2", "\"format\":1").replace("\"failover_pending\":true,", ""));
    assertThat(restore("--no-quarantine").status).as("one of format 1 does not know").isZero();
  }

  /** A server that runs, and one that does not: commands find it by its directory. */
  @Test
  void theEmbeddedDatabaseIsBackedUpWhileItRunsAndWhileItDoesNot() {
    Path other = directory.resolve("other");
    Path running = directory.resolve("running.zip");
    try (EmbeddedDatabase embedded = EmbeddedDatabase.start(other);
        Database opened = Database.over(embedded)) {
      assertThat(run("backup", running.toString(), "--data", other.toString()).status).isZero();
      assertThat(run("restore", running.toString(), "--data", other.toString()).err)
          .contains("is not empty: expected an empty or a new one to restore into");
      assertThat(opened.hasAccessTables()).isFalse();
    }
    Outcome stopped = run("backup", file().toString(), "--data", other.toString(), "--json");

    assertThat(stopped.status).as(stopped.err).isZero();
    assertThat(Json.MAPPER.readTree(stopped.out).path("tables").size()).isEqualTo(21);
    assertThat(restore().status).isZero();
  }

  /** Its tables have the columns of then, and are upgraded with their rows. */
  @Test
  void aBackupOfAnEarlierMintmarkIsUpgraded() {
    String url = url(TestServer.NEWEST.createDatabase());
    Flyway.configure()
        .dataSource(url, null, null)
        .schemas("mintmark")
        .table("schema_history")
        .locations("classpath:" + Pools.MIGRATIONS)
        .target("3")
        .load()
        .migrate();
    Outcome made = backup(url);
    assertThat(made.status).as(made.err).isZero();

    Outcome restored = restore();

    assertThat(restored.status).as(restored.err).isZero();
    try (EmbeddedDatabase embedded = EmbeddedDatabase.start(data());
        Database opened = Database.over(embedded);
        Pools pools = Pools.over(opened.connectionPool("test", 1))) {
      pools.create(spec("new"));
      assertThat(claim(pools, "new", "new")).isInstanceOf(Granted.class);
    }
  }

  @Test
  void everyTableThatWeCreateIsInABackup() throws SQLException {
    String url = filled(TestServer.NEWEST);
    try (Database opened = Database.connect(DatabaseAddress.parse(url))) {
      Stream.of(TableSet.values()).forEach(opened::migrate);
    }
    List<String> known =
        Stream.of(TableSet.values())
            .flatMap(set -> Stream.concat(set.tables().stream(), Stream.of(set.history())))
            .toList();
    List<String> found = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select relname from pg_class where relnamespace = 'mintmark'::regnamespace"
                    + " and relkind in ('r', 'p', 'm', 'f')")) {
      while (row.next()) {
        found.add(row.getString(1));
      }
    }
    assertThat(found).hasSameElementsAs(known);
    assertThat(backup(url).out).startsWith(file() + ": 30 tables, ");
    assertThat(restore().status).isZero();
  }

  @Test
  void aDatabaseWithOtherTablesIsRefusedByTheirNames() throws SQLException, IOException {
    String url = filled(TestServer.NEWEST);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("create extension pgcrypto");
      statement.execute("create table of_extension (id int)");
      statement.execute("alter extension pgcrypto add table of_extension");
      assertThat(backup(url).status).as("comes with its extension").isZero();
      Files.delete(file());
      statement.execute("create schema shop");
      statement.execute("create table shop.\"Orders\" (id int)");
    }
    Outcome refused = backup(url);

    assertThat(refused.status).isEqualTo(3);
    assertThat(refused.err)
        .contains("tables that are not Mintmark's", "shop.\"Orders\"", "pg_dump");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aFileThatExistsIsNotReplacedAndADatabaseWithoutTablesSaysSo() throws IOException {
    Files.writeString(file(), "mine");
    String url = url(TestServer.NEWEST.createDatabase());

    assertThat(backup(url).err).contains("exists already: choose another name, or delete it");
    Files.delete(file());
    assertThat(backup(url).err)
        .contains("the database has no tables of Mintmark: mintmark serve creates them");
    assertThat(backup(url(TestDatabase.create())).err)
        .as("flyway_schema_history")
        .contains("another tool than Mintmark created its tables");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aDatabaseThatQuotesAllIdentifiersIsBackedUp() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    String url = fill(database);
    database.execute("alter database %s set quote_all_identifiers = on".formatted(database.name()));

    Outcome made = backup(url);

    assertThat(made.status).as(made.err).isZero();
    assertThat(restore().status).isZero();
  }

  @Test
  void aRoleWithoutRightsIsToldSo() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    fill(database);
    database.execute(
        "do $$ begin create role backup_nobody login; exception when duplicate_object then end $$");

    Outcome refused = backup(url(database, "backup_nobody"));

    assertThat(refused.status).isEqualTo(3);
    assertThat(refused.err.lines())
        .containsExactly(
            "mintmark: database jdbc:postgresql://127.0.0.1:%d/%s: ERROR: permission denied for schema mintmark"
                .formatted(database.port(), database.name()));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aBackupFromWhichAPolicyWouldHideRowsIsRefused() throws IOException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    fill(database);
    grantReading(database);
    assertThat(backup(url(database, READER)).status).isZero();
    Files.delete(file());
    database.execute("alter table mintmark.access_key enable row level security");

    Outcome refused = backup(url(database, READER));

    assertThat(refused.status).isEqualTo(3);
    assertThat(refused.err)
        .contains("query would be affected by row-level security policy for table \"access_key\"");
    assertThat(directory).isEmptyDirectory();
  }

  /** It waits for a lock for longer than both limits. */
  @Test
  void timeLimitsOfTheRoleDoNotEndABackup() throws Exception {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    fill(database);
    grantReading(database);
    for (String limit : List.of("statement_timeout", "transaction_timeout")) {
      database.execute(
          "alter role %s in database %s set %s = '1s'".formatted(READER, database.name(), limit));
    }
    CompletableFuture<Outcome> made;
    try (Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table mintmark.pool_usage in access exclusive mode");
      made =
          CompletableFuture.supplyAsync(
              () -> backup(url(database, READER)), ThreadPerTask.EXECUTOR);
      Patience.await(
          "the backup has waited, or has ended",
          () -> made.isDone() || database.number(BACKUPS_THAT_WAITED) == 1);
      other.rollback();
    }

    assertThat(made.get().status).as(made.get().err).isZero();
  }

  private static void grantReading(TestDatabase database) {
    database.execute(
        """
        do $$ begin create role %1$s login; exception when duplicate_object then end $$;
        grant usage on schema mintmark to %1$s;
        grant select on all tables in schema mintmark to %1$s;
        grant select on all sequences in schema mintmark to %1$s;
        """
            .formatted(READER));
  }

  @Test
  void aDamagedFileIsRefusedBeforeAnythingIsRestored() throws IOException {
    assertThat(backup(filled(TestServer.NEWEST)).status).isZero();
    byte[] whole = Files.readAllBytes(file());

    Files.write(file(), Arrays.copyOf(whole, whole.length - 9));
    assertThat(restore().err).contains("is damaged: not a complete ZIP archive");
    Files.write(file(), whole);
    change("/tables/pool_claim.copy", text -> text.replace("before", "behind"));
    Outcome changed = restore();
    assertThat(changed.status).isEqualTo(3);
    assertThat(changed.err)
        .contains("is damaged: tables/pool_claim.copy does not have the digest in manifest.json");
    Files.write(file(), whole);
    change("/manifest.json", text -> text.replace("\"format\":2", "\"format\":3"));
    assertThat(restore().err)
        .contains("has format 3, this mintmark reads up to 2: restore it with");
    Files.write(file(), whole);
    change("/manifest.json", text -> text.replace("\"pool_owner\"", "\"pool_later\""));
    assertThat(restore().status).isEqualTo(3);
    Files.writeString(file(), "not an archive");
    assertThat(restore().status).isEqualTo(3);
    Files.delete(file());
    assertThat(restore().err).contains("no such file");
    assertThat(data()).doesNotExist();
  }

  @Test
  void aDamagedManifestIsRefused() throws IOException {
    assertThat(backup(filled(TestServer.NEWEST)).status).isZero();
    String before = storedChecksum();
    change("/manifest.json", text -> text.replace("\"last_value\":", "\"last_value\":1"));
    // The file system has stored the checksum of the changed text, which damage does not.
    String changed = Files.readString(file(), StandardCharsets.ISO_8859_1);
    Files.writeString(
        file(), changed.replace(storedChecksum(), before), StandardCharsets.ISO_8859_1);

    Outcome refused = restore();

    assertThat(refused.status).isEqualTo(3);
    assertThat(refused.err)
        .contains("is damaged: manifest.json does not have the checksum in the archive");
    assertThat(data()).doesNotExist();
  }

  /** The checksum of the manifest as the archive has it, a character for each byte. */
  private String storedChecksum() throws IOException {
    try (ZipFile zip = new ZipFile(file().toFile())) {
      long checksum = zip.getEntry("manifest.json").getCrc();
      return new String(
          ByteBuffer.allocate(Integer.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt((int) checksum)
              .array(),
          StandardCharsets.ISO_8859_1);
    }
  }

  private interface Change {
    String of(String text);
  }

  private void change(String entry, Change change) throws IOException {
    try (FileSystem zip =
        FileSystems.newFileSystem(URI.create("jar:" + file().toUri()), Map.of())) {
      Path path = zip.getPath(entry);
      String changed = change.of(Files.readString(path));
      assertThat(changed).isNotEqualTo(Files.readString(path));
      Files.write(path, changed.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Its manifest names a version of the tables that no migration makes. */
  @Test
  void aRestoreThatFailsBeginsAgain() throws IOException {
    assertThat(backup(filled(TestServer.NEWEST)).status).isZero();
    byte[] whole = Files.readAllBytes(file());
    change(
        "/manifest.json",
        text -> text.replaceAll("\"schema_history\":\"[0-9]+\"", "\"schema_history\":\"9999\""));

    Outcome failed = restore();

    assertThat(failed.status).isEqualTo(3);
    assertThat(failed.err).contains("9999");
    assertThatThrownBy(() -> EmbeddedDatabase.start(data()))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("did not come to its end: run mintmark restore again");
    Files.write(file(), whole);
    assertThat(restore().status).isZero();
  }

  /** Its manifest has a number that no sequence has. */
  @Test
  void aRestoreThatTheDatabaseRejectsSaysWhy() throws IOException {
    assertThat(backup(filled(TestServer.NEWEST)).status).isZero();
    change("/manifest.json", text -> text.replaceAll("\"last_value\":[0-9]+", "\"last_value\":-7"));

    Outcome failed = restore();

    assertThat(failed.status).isEqualTo(3);
    assertThat(failed.err.lines().toList()).hasSize(1);
    assertThat(failed.err)
        .startsWith("mintmark: database ")
        .contains("ERROR: setval: value -7 is out of bounds for sequence");
  }
}
