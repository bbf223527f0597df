package dev.mintmark.operations.migrate;

import static dev.mintmark.operations.migrate.InvalidValues.REFUSE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Pack;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plans of tables that others have locked. */
@Tag("database")
class MigrationPlannerTest {
  private static final Duration AN_HOUR = Duration.ofHours(1);

  private static final Catalog CATALOG =
      Migrated.catalog(
          CollectionSpec.builder("orders", Kind.ULID).table("public.Our orders").build());

  private final TestDatabase database = TestServer.oldest().createDatabase();

  private final MigrationPlanner planner =
      MigrationPlanner.over(database.dataSource(), Pack.inSchema(Pack.SCHEMA).sql())
          .withLockTimeout(Duration.ofMillis(150));

  @BeforeEach
  void createTables() {
    database.execute(
        """
        create table "Our orders" (id text primary key);
        create table items (order_id text references "Our orders");
        insert into "Our orders" values ('01FZG96YPZK4SANAG1ZM5T2K9Z')""");
  }

  @Test
  void aTableThatStaysLockedIsReportedWithItsHolder() throws SQLException {
    try (Connection other = locked("\"Our orders\"")) {
      assertThatExceptionOfType(MigrationException.class)
          .isThrownBy(this::plan)
          .withMessageMatching(
              "no plan was made: \"public\".\"Our orders\" is locked by process \\d+"
                  + " \\(the other\\) since .*; plan again once it is free");
      other.rollback();
    }

    assertThat(plan().refusals()).isEmpty();
    assertThat(plan().steps()).isNotEmpty();
  }

  @Test
  void aTableThatIsDroppedMeanwhileIsReportedWithTheRemedy() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      LiveSchema schema = LiveSchema.of(connection);
      long items = schema.find("items").orElseThrow().oid();
      database.execute("drop table items");

      assertThatExceptionOfType(MigrationException.class)
          .isThrownBy(() -> schema.table(items))
          .withMessage(
              "no plan was made: a table was dropped while it was read (oid %d); plan again"
                  .formatted(items));
      connection.rollback();
    }
  }

  @Test
  void aTableThatRefersToOneOfTheCatalogIsReportedAsSuch() throws SQLException {
    try (Connection other = locked("items")) {
      assertThatExceptionOfType(MigrationException.class)
          .isThrownBy(this::plan)
          .withMessageContaining(
              "a table of the catalog, or one that refers to it, was locked by others");
      other.rollback();
    }
  }

  @Test
  void aShorterLockTimeoutOfTheRoleHolds() throws SQLException {
    database.execute("alter database " + database.name() + " set lock_timeout = '150ms'");
    try (Connection other = locked("items")) {
      assertThatExceptionOfType(MigrationException.class)
          .isThrownBy(() -> planner.withLockTimeout(AN_HOUR).plan(CATALOG, REFUSE, reading -> {}));
      other.rollback();
    }
  }

  @Test
  void writersDelayNothing() throws SQLException {
    try (Connection other =
        Migrated.other(database, "lock table \"Our orders\", items in exclusive mode")) {
      assertThat(plan().steps()).isNotEmpty();

      other.rollback();
    }
  }

  /** Some are known by the snapshot alone, some by the server alone, as far as they are there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "create index on \"Our orders\" (note, id)",
        "create view w as select * from \"Our orders\"",
        "drop view shown_again",
        "drop view shown_again, shown",
        "drop statistics noted",
        "drop trigger heard on \"Our orders\"",
        "alter table items drop constraint items_order_id_fkey",
        "alter table \"Our orders\" alter number type bigint",
        "drop table items"
      })
  void whatChangesWhileItIsReadIsPlannedAgain(String change) throws SQLException {
    database.execute(
        """
        alter table "Our orders" add note text, add number integer;
        create view shown as select id from "Our orders";
        create view shown_again as select id from shown;
        create statistics noted on id, note from "Our orders";
        create function nothing() returns trigger language plpgsql as 'begin return new; end';
        create trigger heard after insert on "Our orders" for each row execute function nothing()""");

    assertThatExceptionOfType(MigrationException.class)
        .isThrownBy(() -> planner.plan(CATALOG, REFUSE, once(change)))
        .withMessageStartingWith("no plan was made: table public.")
        .withMessageEndingWith("was created, changed or dropped meanwhile; plan again");

    assertThat(plan().steps()).isNotEmpty();
  }

  private Consumer<String> once(String change) {
    AtomicBoolean done = new AtomicBoolean();
    return reading -> {
      if (!done.getAndSet(true)) {
        database.execute(change);
      }
    };
  }

  @Test
  void aPrivilegeThatIsGrantedWhileItIsReadIsNotLost() throws SQLException {
    MigrationPlan plan =
        planner.plan(CATALOG, REFUSE, once("grant select on \"Our orders\" to public"));

    assertThatThrownBy(
            () ->
                Migrations.over(database.dataSource())
                    .apply(plan, Pace.FULL, MigrationListener.SILENT))
        .hasMessageContaining("the list of privileges on table public.\"Our orders\" was changed");
  }

  private MigrationPlan plan() throws SQLException {
    return planner.plan(CATALOG, REFUSE, reading -> {});
  }

  private Connection locked(String table) throws SQLException {
    return Migrated.other(database, "lock table " + table + " in access exclusive mode");
  }
}
