package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.OnServersCsv;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What the planner plans for real schemas, killed before every statement of its run and within
 * every index it makes, forwards and backwards: what comes of it is what comes of a run that nobody
 * disturbs.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("long")
class KilledMigrationTest {
  private static final List<String> LEFTOVERS = List.of("__new", "__old", "sync", "NOT VALID");

  /** What is migrated. */
  private enum Case {
    /** Texts of ULIDs become uuid. */
    SHOP,
    /** Integers become bigint. */
    FORUM,
    /** A table gains ULIDs of the time its rows were made: those end at random. */
    MEATS;

    /** The tables and rows before the migration. */
    TestDatabase create(TestServer server) {
      TestDatabase database = server.createDatabase();
      switch (this) {
        case SHOP -> shop(database);
        case FORUM -> Migrated.run(database, "forum.sql");
        case MEATS -> meats(database);
      }
      return database;
    }

    Migrated in(TestDatabase database) {
      return switch (this) {
        case SHOP ->
            new Migrated(
                database,
                CollectionSpec.builder("orders", Kind.ULID)
                    .table("shop.orders")
                    .referencedBy(List.of(Reference.parse("shop.audit.order_ref")))
                    .build(),
                CollectionSpec.builder("customers", Kind.ULID).table("shop.customers").build());
        case FORUM ->
            new Migrated(
                database,
                CollectionSpec.builder("posts", Kind.SEQUENCE).table("posts").build(),
                CollectionSpec.builder("members", Kind.SEQUENCE)
                    .table("members")
                    .column("member_id")
                    .build());
        case MEATS ->
            new Migrated(
                database,
                CollectionSpec.builder("meats", Kind.ULID)
                    .table("meats")
                    .column("public_id")
                    .created("made_at")
                    .build());
      };
    }
  }

  private static void shop(TestDatabase database) {
    Migrated.run(database, "shop.sql");
    database.execute(
        "delete from shop.orders where made_at > '2026-01-01'::timestamptz + interval '60 minutes' and parent_id is not null;"
            + " delete from shop.orders where made_at > '2026-01-01'::timestamptz + interval '60 minutes';"
            + " delete from shop.audit where order_ref not in (select id from shop.orders) and order_ref not like '01ARZ%'");
  }

  private static void meats(TestDatabase database) {
    database.execute(
        """
        create table meats (id bigint generated always as identity primary key, name text, made_at timestamptz not null);
        insert into meats (name, made_at)
        select 'meat ' || n, '2020-01-01T00:00:00Z'::timestamptz + n * interval '1 second'
        from generate_series(1, 300) n""");
  }

  @OnServersCsv({"SHOP, V18", "MEATS, V18"})
  void comesToTheSameAsIfItHadNotBeenKilled(Case what, TestServer server) throws SQLException {
    assertComesToTheSame(what, server);
  }

  @OnServersCsv({"FORUM, V14", "FORUM, V17"})
  @Tag("matrix")
  void comesToTheSameOnEarlierServers(Case what, TestServer server) throws SQLException {
    assertComesToTheSame(what, server);
  }

  private static void assertComesToTheSame(Case what, TestServer server) throws SQLException {
    TestDatabase original = what.create(server);
    Migrated killed = what.in(original.copy());
    List<String> baking;
    List<String> contracted;
    try (EveryPlace places = new EveryPlace(killed.database)) {
      MigrationPlan plan = killed.plan();

      places.run((migrations, hears) -> migrations.apply(plan, Migrated.PACE, hears));
      baking = content(killed.database);
      places.run((migrations, hears) -> migrations.contract(Migrated.PACE, hears));
      contracted = content(killed.database);

      assertThat(places.places()).isGreaterThan(5 * plan.steps().size());
      assertThat(killed.plan().isEmpty()).isTrue();
    }
    assertNothingIsLeft(contracted);

    Migrated undisturbed = what.in(original);
    undisturbed.apply();
    assertThat(baking).isEqualTo(content(original));
    undisturbed.contract();
    assertThat(contracted).isEqualTo(content(original));
  }

  @OnServersCsv({"SHOP, V18", "MEATS, V18"})
  void comesBackToWhatWasBefore(Case what, TestServer server) throws SQLException {
    assertComesBack(what, server);
  }

  @OnServersCsv({"FORUM, V14", "FORUM, V17"})
  @Tag("matrix")
  void comesBackOnEarlierServers(Case what, TestServer server) throws SQLException {
    assertComesBack(what, server);
  }

  private static void assertComesBack(Case what, TestServer server) throws SQLException {
    Migrated killed = what.in(what.create(server));
    List<String> before = content(killed.database);
    MigrationPlan plan = killed.plan();
    killed.apply();
    List<String> baking = content(killed.database);
    try (EveryPlace places = new EveryPlace(killed.database)) {
      places.run((migrations, hears) -> migrations.rollback(Migrated.PACE, hears));
      assertThat(places.places()).isGreaterThan(3 * plan.steps().size());
    }
    assertThat(withoutOurs(killed.database)).isEqualTo(before);

    for (Phase phase : Phase.values()) {
      if (phase.compareTo(Phase.SWITCH) > 0) {
        break;
      }
      stopBehind(phase, killed);
      killed.rollback();
      assertThat(withoutOurs(killed.database)).as("behind %s", phase).isEqualTo(before);
    }

    killed.apply();
    assertThat(content(killed.database)).isEqualTo(baking);
  }

  /** Applies as far as the last step of a phase, if it has any, or as the one before. */
  private static void stopBehind(Phase phase, Migrated migrated) throws SQLException {
    try {
      migrated.migrations.apply(
          migrated.plan(),
          Migrated.PACE,
          new MigrationListener() {
            @Override
            public void started(Step step, StepPosition position) {
              if (step.phase().compareTo(phase) > 0) {
                throw new Stopped();
              }
            }
          });
    } catch (Stopped e) {
      // As a run that ends by any other fault.
    }
  }

  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static void assertNothingIsLeft(List<String> content) {
    assertThat(content)
        .noneMatch(line -> LEFTOVERS.stream().anyMatch(line::contains))
        .noneMatch(line -> line.startsWith("4 index") && line.contains(" false"));
  }

  /** The schema and all rows, but of identifiers that end at random only their time. */
  private static List<String> content(TestDatabase database) {
    List<String> content = new ArrayList<>(SchemaText.of(database));
    for (List<String> table :
        database.rows(
            """
            select c.oid::regclass::text
            from pg_class c
            where c.relkind in ('r', 'v')
              and c.relnamespace in (select n.oid from pg_namespace n where n.nspname !~ '^(pg_|information_schema|mintmark)')
            order by 1""")) {
      content.add(table.get(0) + ":\n" + rows(database, table.get(0)));
    }
    return content;
  }

  private static String rows(TestDatabase database, String table) {
    boolean minted =
        database.number(
                "select count(*) from pg_attribute where attrelid = '"
                    + table
                    + "'::regclass and attname = 'public_id'")
            > 0;
    return SchemaText.rows(
        database,
        minted
            ? "(select id, name, made_at, mintmark.ulid_time(public_id), count(*) over (partition by public_id) from "
                + table
                + ")"
            : table);
  }

  /** The schema mintmark stays: with the pack, and what is known of migrations. */
  private static List<String> withoutOurs(TestDatabase database) {
    return content(database).stream().filter(line -> !line.contains("mintmark")).toList();
  }
}
