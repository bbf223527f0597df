package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.BY_ID;
import static dev.mintmark.postgres.page.Incidents.BY_TRANSACTION;
import static dev.mintmark.postgres.page.Incidents.BY_WINDOW;
import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.before;
import static dev.mintmark.postgres.page.Incidents.execute;
import static dev.mintmark.postgres.page.Incidents.first;
import static dev.mintmark.postgres.page.Incidents.insert;
import static dev.mintmark.postgres.page.Incidents.last;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each condition of each order: a page is refused if it does not hold. */
@Tag("slow")
class ConditionsTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();

  private final Incidents incidents = Incidents.create(TestServer.NEWEST, DATABASE);

  @Test
  void olderSnapshotIsRefusedWhereThePageNeedsALaterOne() throws SQLException {
    incidents.insert(1);
    try (Connection connection = incidents.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);

      refused(connection, BY_ID, Condition.READ_COMMITTED, "repeatable|keeps one snapshot");
      refused(connection, BY_WINDOW, Condition.READ_COMMITTED, "keeps one snapshot");
      assertThat(Incidents.pages(BY_TRANSACTION).read(connection, first(10)).rows())
          .containsExactly(1);
    }
  }

  @Test
  void callerWithoutATransactionGetsOneThatIsReadCommitted() throws SQLException {
    incidents.insert(1);
    try (Connection connection = incidents.connect()) {
      execute(connection, "set default_transaction_isolation = serializable");

      for (PageOrder order : List.of(BY_TRANSACTION, BY_WINDOW)) {
        assertThat(Incidents.pages(order).read(connection, first(10)).rows()).containsExactly(1);
      }
      Incidents.pages(BY_ID).read(connection, first(10));
      assertThat(connection.getAutoCommit()).isTrue();
    }
  }

  @Test
  void roleThatDoesNotSeeOtherSessionsIsRefused() throws SQLException {
    incidents.database().execute("drop role if exists page_reader; create role page_reader login");
    incidents.database().execute("grant select on incidents to page_reader");
    DataSource reader = incidents.database().dataSource("page_reader");
    try (Connection connection = reader.getConnection()) {
      refused(connection, BY_ID, Condition.VISIBLE_SESSIONS, "grant pg_read_all_stats to it");
      Incidents.pages(BY_TRANSACTION).read(connection, first(10));
      Incidents.pages(BY_WINDOW).read(connection, first(10));

      incidents.database().execute("grant pg_read_all_stats to page_reader");
      Incidents.pages(BY_ID).read(connection, first(10));
    } finally {
      incidents.database().execute("drop owned by page_reader; drop role page_reader");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pg_control_system()", "pg_walfile_name(pg_lsn)"})
  void roleThatMayNotAskForTheClusterIsRefused(String function) throws SQLException {
    incidents.database().execute("drop role if exists page_blind; create role page_blind login");
    incidents.database().execute("grant select on incidents to page_blind");
    incidents.database().execute("revoke execute on function " + function + " from public");
    try (Connection connection = incidents.database().dataSource("page_blind").getConnection()) {
      refused(
          connection, BY_TRANSACTION, Condition.KNOWN_CLUSTER, "grant execute on that function");
    } finally {
      incidents.database().execute("drop owned by page_blind; drop role page_blind");
      incidents.database().execute("grant execute on function " + function + " to public");
    }
  }

  @Test
  void serverThatDoesNotReportItsHistoryIsReadUnchecked() throws SQLException {
    // A database of its own, because the function is replaced in it.
    Incidents own = Incidents.create();
    own.insert(1);
    own.database()
        .execute(
            """
            alter function pg_catalog.pg_current_wal_flush_lsn() rename to replaced;
            create function pg_catalog.pg_current_wal_flush_lsn() returns pg_lsn
            language plpgsql as $$ begin raise exception 'refused' using errcode = '0A000'; end $$
            """);
    try (Connection connection = own.connect()) {
      refused(
          connection, BY_TRANSACTION, Condition.KNOWN_CLUSTER, "declare AfterFailover.UNCHECKED");
      for (PageOrder order : List.of(BY_TRANSACTION, BY_WINDOW)) {
        KeysetPages<Integer> unchecked = Incidents.pages(order, AfterFailover.UNCHECKED);
        assertThat(unchecked.read(connection, first(10)).rows()).containsExactly(1);
      }
    }
  }

  @Test
  void sessionThatDoesNotTellIsRefused() throws SQLException {
    try (Connection silent = incidents.connect();
        Connection reader = incidents.connect()) {
      execute(silent, "set track_activities = off");
      execute(silent, "select 1");
      refused(reader, BY_ID, Condition.TRACKED_SESSIONS, "track_activities off=1");

      execute(silent, "set track_activities = on");
      execute(silent, "select 1");
      Incidents.pages(BY_ID).read(reader, first(10));
    }
  }

  @Test
  void sessionThatStopsTellingInItsTransactionIsRefused() throws SQLException {
    try (Connection silent = incidents.begin();
        Connection reader = incidents.connect()) {
      execute(silent, "set local track_activities = off");
      insert(silent, 1);

      refused(reader, BY_ID, Condition.TRACKED_SESSIONS, "track_activities off=1");
    }
  }

  @Test
  void sessionThatBeginsToTellInItsTransactionIsRefused() throws SQLException {
    try (Connection silent = incidents.connect();
        Connection reader = incidents.connect()) {
      execute(silent, "set track_activities = off");
      silent.setAutoCommit(false);
      insert(silent, 1);
      execute(silent, "set track_activities = on");
      execute(silent, "select 1");

      refused(reader, BY_ID, Condition.TRACKED_SESSIONS, "background workers=1");
    }
  }

  @Test
  void replicationConnectionThatInsertsIsRefused() throws SQLException {
    Properties replication = new Properties();
    replication.setProperty("user", "postgres");
    replication.setProperty("replication", "database");
    replication.setProperty("preferQueryMode", "simple");
    replication.setProperty("assumeMinServerVersion", "14");
    String url = "jdbc:postgresql://localhost:%d/%s".formatted(DATABASE.port(), DATABASE.name());
    try (Connection writer = DriverManager.getConnection(url, replication);
        Connection reader = incidents.connect()) {
      execute(writer, "begin");
      insert(writer, 1);

      refused(reader, BY_ID, Condition.TRACKED_SESSIONS, "background workers=1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop index incidents_x; create unique index on incidents (xid, label collate \"POSIX\")",
        "create table heirs () inherits (incidents)"
      })
  void uniqueInAnotherSenseThanThatOfTheOrderIsRefused(String change) throws SQLException {
    DATABASE.execute(
        "alter table incidents add label text collate \"C\" not null default '';"
            + " create unique index incidents_x on incidents (xid, label)");
    PageOrder order = PageOrder.byTransaction("xid", "label");
    try (Connection connection = incidents.connect()) {
      KeysetPages<Integer> pages = Incidents.pages(order);
      pages.read(connection, first(10));
      DATABASE.execute(change);

      refused(connection, order, Condition.TABLE, "rows may be equal in the order");
    }
  }

  @Test
  void cursorByTransactionIsOfNoOtherTransactionColumnAndOfNoOrderWithoutOne() throws SQLException {
    incidents.insert(1);
    DATABASE.execute("alter table incidents add xid2 xid8 not null default pg_current_xact_id()");
    try (Connection connection = incidents.connect();
        Connection preparer = incidents.connect()) {
      execute(preparer, "begin; select 1; prepare transaction 'held'");
      Page<Integer> page =
          Incidents.pages(BY_ID.orByTransaction("xid")).read(connection, first(10));

      for (PageOrder other : List.of(BY_ID, BY_ID.orByTransaction("xid2"))) {
        assertThatExceptionOfType(CursorException.class)
            .isThrownBy(() -> Incidents.pages(other).read(connection, after(page, 10)))
            .satisfies(e -> assertThat(e.reason()).isEqualTo(CursorException.Reason.OTHER_PAGES));
      }
      execute(preparer, "rollback prepared 'held'");
    }
  }

  @Test
  void preparedTransactionOfThisDatabaseIsRefused() throws SQLException {
    Incidents other = Incidents.create();
    try (Connection writer = incidents.connect();
        Connection reader = incidents.connect();
        Connection elsewhere = other.connect()) {
      execute(writer, "begin");
      insert(writer, 1);
      execute(writer, "prepare transaction 'p1'");
      try {
        refused(reader, BY_ID, Condition.NO_PREPARED_TRANSACTIONS, "prepared=1");
        Incidents.pages(BY_ID).read(elsewhere, first(10));
      } finally {
        execute(writer, "rollback prepared 'p1'");
      }
      Incidents.pages(BY_ID).read(reader, first(10));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alter table incidents alter column id drop default",
        "alter table incidents alter column id set default gen_random_uuid()",
        "alter table incidents alter column id set default uuidv7(interval '1 day')",
        "create or replace function other() returns uuid language sql as 'select uuidv7()';"
            + "alter table incidents alter column id set default other()",
        "drop table incidents; create table incidents (id uuid default uuidv7(), organisation_id text,"
            + " number int, xid xid8 not null default pg_current_xact_id(), primary key (organisation_id, id))"
            + " partition by list (organisation_id); create table part partition of incidents default;"
            + "alter table part alter column id set default gen_random_uuid()"
      })
  void defaultThatIsNoMintIsRefused(String ddl) throws SQLException {
    incidents.database().execute(ddl);
    try (Connection reader = incidents.connect()) {
      refused(
          reader,
          BY_ID,
          Condition.SERVER_MINTED,
          "expected ulid\\(\\), ulid_monotonic\\(\\) or uuidv7\\(\\) of the pack");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ulid", "ulid_monotonic", "uuidv7"})
  void mintsOfThePackAreAccepted(String function) throws SQLException {
    Incidents.installPack(incidents.database());
    incidents
        .database()
        .execute("alter table incidents alter column id set default mintmark." + function + "()");

    incidents.read(BY_ID, first(10));

    // The name alone is not sufficient, not even in the schema of the pack.
    incidents
        .database()
        .execute(
            "create or replace function mintmark."
                + function
                + "() returns uuid language sql return gen_random_uuid()");
    try (Connection reader = incidents.connect()) {
      refused(reader, BY_ID, Condition.SERVER_MINTED, "of the pack");
    } finally {
      Incidents.installPack(incidents.database());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "language sql as 'select gen_random_uuid()'",
        "language sql return gen_random_uuid()",
        "language sql as 'select uuidv7()'",
        "language plpgsql as 'begin return pg_catalog.uuidv7(); end'"
      })
  void functionNamedLikeAMintIsAcceptedOnlyIfItIsTrusted(String body) throws SQLException {
    for (String function : List.of("public.ulid", "\"Odd one\".ulid_monotonic", "public.new_id")) {
      incidents.database().execute("create schema if not exists \"Odd one\"");
      incidents
          .database()
          .execute("create or replace function %s() returns uuid %s".formatted(function, body));
      incidents
          .database()
          .execute("alter table incidents alter column id set default " + function + "()");

      try (Connection reader = incidents.connect()) {
        refused(reader, BY_ID, Condition.SERVER_MINTED, "or a function that the order trusts");
      }
      incidents.read(BY_ID.trusting(function.replace("\"", "")), first(10));
      incidents.read(BY_ID.orByTransaction("xid"), first(10));
      incidents
          .database()
          .execute("alter table incidents alter column id drop default; drop function " + function);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "language sql as 'select pg_catalog.uuidv7()'",
        "language sql return pg_catalog.uuidv7()"
      })
  void functionThatReturnsTheNativeMintIsAccepted(String body) throws SQLException {
    incidents.database().execute("create or replace function new_id() returns uuid " + body);
    incidents.database().execute("alter table incidents alter column id set default new_id()");

    incidents.read(BY_ID, first(10));
    incidents
        .database()
        .execute("alter table incidents alter column id drop default; drop function new_id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new.id := gen_random_uuid();",
        "NEW . \"id\" = gen_random_uuid();",
        "select gen_random_uuid() into new.id;",
        "new := row(gen_random_uuid(), 'acme', 1, pg_current_xact_id());",
        "select * into new from incidents limit 1;"
      })
  void triggerThatAssignsTheIdIsRefused(String statement) throws SQLException {
    createTrigger(statement);
    try (Connection reader = incidents.connect()) {
      refused(reader, BY_ID, Condition.SERVER_MINTED, "assigned by a trigger.*stamp of incidents");
    }
    incidents.read(BY_ID.trusting("stamp"), first(10));
    assertThat(incidents.read(BY_ID.orByTransaction("xid"), first(10)).order())
        .isInstanceOf(PageOrder.Transaction.class);

    incidents.database().execute("alter table incidents disable trigger stamp");
    incidents.read(BY_ID, first(10));
  }

  /** Ids that are not minted are added before the cursor too. */
  @Test
  void cursorByIdIsRefusedOnceIdsComeFromElsewhere() throws SQLException {
    PageOrder order = BY_ID.orByTransaction("xid");
    incidents.insert(1);
    incidents.insert(2);
    Page<Integer> page = incidents.read(order, first(1));
    incidents
        .database()
        .execute("alter table incidents alter column id set default gen_random_uuid()");
    incidents.insert(3);
    incidents.insert(4);

    assertThatExceptionOfType(PageRefusedException.class)
        .isThrownBy(() -> incidents.read(order, after(page, 10)))
        .withMessageContaining("defaults to [gen_random_uuid()]")
        .withMessageEndingWith("read again from the first page, by transaction");
    assertThat(incidents.read(order, first(10)).rows()).containsExactlyInAnyOrder(1, 2, 3, 4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new.number := new.number + 1;",
        "new.organisation_id := 'acme';",
        "perform 1 from incidents where id = new.id;",
        "if new.number > 7 then raise exception 'no'; end if;"
      })
  void triggerThatAssignsOtherColumnsIsNoObstacle(String statement) throws SQLException {
    createTrigger(statement);

    incidents.read(BY_ID, first(10));
  }

  private void createTrigger(String statement) {
    incidents
        .database()
        .execute(
            "create or replace function stamp() returns trigger language plpgsql as $$ begin "
                + statement
                + " return new; end $$; create trigger stamp before insert on incidents"
                + " for each row execute function stamp()");
  }

  @Test
  void rowMoreThanADayAheadIsReported() throws SQLException {
    incidents.insert(1);
    String ahead = "ffffffff-ffff-4fff-bfff-ffffffffffff";
    incidents
        .database()
        .execute("insert into incidents (id, number) values ('%s', 2)".formatted(ahead));

    try (Connection reader = incidents.connect()) {
      refused(
          reader, BY_ID, Condition.SERVER_MINTED, "row with id " + ahead + " would be held back");
    }
    assertThat(incidents.read(BY_ID.orByTransaction("xid"), first(10)).rows()).hasSize(2);
  }

  /** The clock may step back by the slack between a mint and the next. */
  @Test
  void rowsWithinTheSlackOfTheClockAreHeldBack() throws SQLException {
    PageOrder.MintedId order = BY_ID.withClockSlack(Duration.ofMinutes(30));
    String insert =
        "insert into incidents (id, number) select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint"
            + " - %d * 60000), 12, '0') || '70008000000000000000')::uuid, %d";
    incidents.database().execute(insert.formatted(40, 1));
    incidents.database().execute(insert.formatted(20, 3));

    Page<Integer> page = incidents.read(order, first(10));
    assertThat(page.rows()).containsExactly(1);
    assertThat(page.heldBack()).isTrue();

    // As if the clock had stepped back by 10 minutes since.
    incidents.database().execute(insert.formatted(29, 2));
    assertThat(incidents.read(order, after(page, 10)).rows()).isEmpty();
    assertThat(incidents.read(order.withClockSlack(Duration.ofMinutes(10)), after(page, 10)).rows())
        .containsExactly(2, 3);
  }

  @Test
  void tableThatReplicationFillsIsRefusedById() throws SQLException {
    incidents
        .database()
        .execute(
            """
        create subscription s connection 'host=nowhere' publication p
        with (connect = false, slot_name = none);
        insert into pg_subscription_rel (srsubid, srrelid, srsubstate)
        select oid, 'incidents'::regclass, 'r' from pg_subscription where subname = 's'
        """
                .replace("insert into", "set allow_system_table_mods = on; insert into"));
    try (Connection reader = incidents.connect()) {
      refused(reader, BY_ID, Condition.SERVER_MINTED, "part of a subscription");
    } finally {
      incidents
          .database()
          .execute(
              "set allow_system_table_mods = on; delete from pg_subscription_rel; drop subscription s");
    }
  }

  @Test
  void transactionColumnIsOfItsTypeAndDefault() throws SQLException {
    try (Connection reader = incidents.connect()) {
      for (PageOrder order : List.of(BY_TRANSACTION, BY_WINDOW)) {
        execute(reader, "alter table incidents alter column xid set default '3'");
        refused(reader, order, Condition.STAMPED_HERE, "expected pg_current_xact_id\\(\\)");
        execute(reader, "alter table incidents alter column xid set default pg_current_xact_id()");
      }
      refused(
          reader,
          PageOrder.byTransaction("number", "id"),
          Condition.TABLE,
          "of type integer: expected xid8");
    }
  }

  @Test
  void stampOfTheFutureIsRefusedUntilItIsMadeAnew() throws SQLException {
    incidents.insert(1);
    incidents
        .database()
        .execute(
            "insert into incidents (number, xid) select n, (1000000000 + n)::text::xid8 from generate_series(2, 26) n");
    try (Connection reader = incidents.connect()) {
      for (PageOrder order : List.of(BY_TRANSACTION, BY_WINDOW)) {
        refused(reader, order, Condition.STAMPED_HERE, "yet to come");
      }
      XidColumn column = new XidColumn("incidents", "xid");
      List<Integer> stamped = new ArrayList<>();
      do {
        stamped.add(column.restamp(reader, 10));
      } while (stamped.get(stamped.size() - 1) > 0);

      assertThat(stamped).containsExactly(10, 10, 5, 0);
      for (PageOrder order : List.of(BY_TRANSACTION, BY_WINDOW)) {
        assertThat(Incidents.pages(order).read(reader, first(100)).rows()).hasSize(26);
      }
    }
  }

  /** Another session changes the row between the moment that a call sees and its lock. */
  @Test
  void rowThatChangesMeanwhileIsStampedByALaterCall() throws Exception {
    incidents
        .database()
        .execute("insert into incidents (number, xid) values (1, '1000000000'::xid8)");
    XidColumn column = new XidColumn("incidents", "xid");
    try (Connection other = incidents.begin();
        Connection reader = incidents.connect()) {
      execute(other, "update incidents set number = 2");
      CompletableFuture<Integer> found =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return column.restamp(reader, 10);
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              },
              ThreadPerTask.EXECUTOR);
      Patience.await(
          "the call waits for the lock",
          () ->
              incidents
                      .database()
                      .number(
                          "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
                  == 1);
      other.commit();

      assertThat(found.get(Patience.MAX.toSeconds(), TimeUnit.SECONDS)).isOne();
      assertThat(column.restamp(reader, 10)).isOne();
      assertThat(column.restamp(reader, 10)).isZero();
    }
  }

  @Test
  void ownRowsOfTheReaderAreNotGivenBeforeTheyAreCommitted() throws SQLException {
    try (Connection reader = incidents.begin()) {
      insert(reader, 1);
      incidents.insert(2);

      assertThat(Incidents.pages(BY_TRANSACTION).read(reader, first(10)).rows()).isEmpty();
      assertThat(Incidents.pages(BY_ID).read(reader, first(10)).rows()).isEmpty();
      refused(reader, BY_WINDOW, Condition.NOTHING_WRITTEN, "has written already");
    }
  }

  @Test
  void orderWithoutAUniqueIndexIsRefused() throws SQLException {
    try (Connection reader = incidents.connect()) {
      refused(
          reader, PageOrder.plain(PageOrder.ascending("number")), Condition.TABLE, "unique index");
      execute(reader, "create unique index on incidents (number) where number > 0");
      refused(
          reader, PageOrder.plain(PageOrder.ascending("number")), Condition.TABLE, "unique index");
      execute(reader, "create unique index on incidents (organisation_id, number)");
      Incidents.pages(PageOrder.plain(PageOrder.ascending("number"))).read(reader, first(10));
    }
  }

  @Test
  void columnThatMayBeNullIsRefused() throws SQLException {
    try (Connection reader = incidents.connect()) {
      execute(
          reader,
          "alter table incidents add column name text, add column at float8 not null default 0");
      PageOrder.Key id = PageOrder.ascending("id");
      refused(
          reader, PageOrder.plain(PageOrder.ascending("name"), id), Condition.TABLE, "may be null");
      refused(
          reader,
          PageOrder.plain(PageOrder.ascending("at"), id),
          Condition.TABLE,
          "double precision");
      execute(reader, "alter table incidents add constraint n not null name not valid");
      refused(
          reader,
          PageOrder.plain(PageOrder.ascending("name"), id),
          Condition.TABLE,
          "not validated");
      refused(
          reader, PageOrder.plain(PageOrder.ascending("nix"), id), Condition.TABLE, "no column");
    }
  }

  @Test
  void tableThatIsNotThereIsRefused() throws SQLException {
    KeysetPages<Integer> pages =
        KeysetPages.of("nowhere.incidents")
            .orderedBy(BY_ID)
            .signedWith(Incidents.KEYRING)
            .reading(List.of("number"), row -> row.getInt(1));

    assertThatExceptionOfType(PageRefusedException.class)
        .isThrownBy(() -> pages.read(incidents.database().dataSource(), PageRequest.first(1)))
        .withMessageContaining("pages of \"nowhere.incidents\": there is no such table");
  }

  @Test
  void pagesGoOnByTransactionWhereTheyCannotById() throws SQLException {
    PageOrder order = BY_ID.withClockSlack(Duration.ofMillis(1)).orByTransaction("xid");
    List<Integer> given = new ArrayList<>();
    try (Connection late = incidents.begin();
        Connection writer = incidents.connect()) {
      execute(late, "select pg_current_xact_id()"); // less than the ids of the other transactions
      for (int number = 1; number <= 3; number++) {
        incidents.insert(number);
      }
      late.commit();
      execute(writer, "select pg_sleep(0.005)");
      Page<Integer> byId = incidents.read(order, first(2));
      given.addAll(byId.rows());
      insert(late, 4);
      execute(writer, "begin");
      insert(writer, 5);
      execute(writer, "prepare transaction 'p2'");
      Page<Integer> page;
      try {
        page = incidents.read(order, after(byId, 2));
        given.addAll(page.rows());
        assertThat(page.order()).isEqualTo(BY_TRANSACTION);
        assertThat(page.guarantee()).isEqualTo(Guarantee.GAP_FREE);
        assertThat(page.rows()).containsExactly(3);

        // Backwards: the rows before were read by id, and are refused while a condition fails.
        Page<Integer> back =
            incidents.read(
                order, PageRequest.before(page.after(), 2).in("organisation_id", "acme"));
        assertThat(back.rows()).containsExactly(3);
        assertThat(back.hasMore()).isTrue();
        assertThatExceptionOfType(PageRefusedException.class)
            .isThrownBy(() -> incidents.read(order, before(back, 2)));
        late.commit();
        page = incidents.read(order, after(page, 2));
        given.addAll(page.rows());
      } finally {
        execute(writer, "commit prepared 'p2'");
      }
      Page<Integer> end = incidents.read(order, after(page, 2));
      given.addAll(end.rows());
      Page<Integer> back =
          incidents.read(order, PageRequest.before(end.after(), 10).in("organisation_id", "acme"));
      assertThat(incidents.read(order, before(back, 10)).rows()).containsExactly(2, 1);
    }
    assertThat(given).containsExactlyInAnyOrder(1, 2, 3, 4, 5).startsWith(1, 2, 3);
  }

  @Test
  void windowsAreReadForwardsOnly() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> incidents.read(BY_WINDOW, last(10)))
        .withMessage("pages by window are read forwards only");
  }

  @Test
  void clockThatIsFarBehindACursorIsRefused() throws SQLException {
    Page<Integer> page = incidents.read(BY_ID, first(1));
    Cursors cursors = new Cursors(Incidents.KEYRING);
    CursorState.MintedId state = (CursorState.MintedId) cursors.open(page.after()).state();
    long hour = Duration.ofHours(1).toMillis();
    MintedHorizon horizon;
    try (Connection connection = incidents.begin()) {
      horizon =
          MintedHorizon.read(
              connection,
              new PageDefinition("incidents", List.of("organisation_id"), BY_ID),
              BY_ID);
    }

    horizon.requireClock(state.clocks().get(0), BY_ID);
    assertThatExceptionOfType(CursorException.class)
        .isThrownBy(() -> horizon.requireClock(state.clocks().get(0) + hour, BY_ID))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(CursorException.Reason.AHEAD_OF_SERVER));
  }

  @Test
  void clockSlackHasLimits() {
    for (Duration slack : List.of(Duration.ofNanos(999_999), Duration.ofMinutes(61))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BY_ID.withClockSlack(slack))
          .withMessageContaining("expected PT0.001S to PT1H");
    }
  }

  private static void refused(
      Connection connection, PageOrder order, Condition condition, String message) {
    assertThatExceptionOfType(PageRefusedException.class)
        .isThrownBy(() -> Incidents.pages(order).read(connection, first(10)))
        .satisfies(e -> assertThat(e.condition()).isEqualTo(condition))
        .withMessageMatching("(?s)pages of \"incidents\": .*(" + message + ").*");
  }
}
