package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.MintDeclaration;
import dev.mintmark.MintDeclaration.OldRows;
import dev.mintmark.MintDeclaration.Place;
import dev.mintmark.Order;
import dev.mintmark.fixtures.OnServersCsv;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Pack;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;

/**
 * From whatever table a team starts: after the plan is applied, new rows get what is declared, old
 * rows have what is declared, and the next plan is empty. A rollback restores the table.
 */
@Tag("long")
class RandomStartTest {
  private static final int TABLES = 40;
  private static final int ROWS = 12;

  /**
   * A table, and what is declared of it.
   *
   * @param type the declaration of the column; empty if it is missing
   * @param own an expression that makes values of the column
   * @param existing the default; empty if there is none
   * @param filled how many of the rows have an identifier
   * @param constraint the constraint on the column; empty if there is none
   */
  private record Start(
      long seed,
      CollectionSpec collection,
      String type,
      String own,
      String existing,
      int filled,
      String constraint) {
    private static final List<Kind> KINDS =
        List.of(Kind.ULID, Kind.UUIDV7, Kind.UUIDV4, Kind.TYPEID);

    static Start of(long seed, String table) {
      Random random = new Random(seed);
      Kind kind = one(random, KINDS);
      boolean texts = random.nextInt(3) == 0;
      boolean created = random.nextBoolean();
      MintDeclaration mint = mint(random, kind, created);
      CollectionSpec.Builder collection =
          CollectionSpec.builder(table, kind)
              .storage(texts ? Kind.Storage.TEXT : Kind.Storage.UUID)
              .table(table)
              .column("public_id")
              .mint(mint);
      if (created) {
        collection.created("made");
      }
      String uuid =
          one(
              random,
              List.of(
                  "gen_random_uuid()",
                  "team.uuidv7()",
                  "mintmark.ulid()",
                  "mintmark.ulid_monotonic()"));
      String own = texts ? "mintmark.ulid_text(" + uuid + ")" : uuid;
      String type =
          random.nextInt(4) == 0
              ? ""
              : texts ? one(random, List.of("text", "varchar(64)")) : "uuid";
      boolean isKey = random.nextInt(4) == 0;
      return new Start(
          seed,
          collection.build(),
          type,
          own,
          random.nextBoolean() ? own : "",
          isKey ? ROWS : one(random, List.of(0, ROWS / 2, ROWS)),
          isKey ? "primary key" : random.nextBoolean() ? "unique" : "");
    }

    private static MintDeclaration mint(Random random, Kind kind, boolean created) {
      MintDeclaration mint = MintDeclaration.NONE;
      if (random.nextInt(3) > 0) {
        mint = mint.withPlace(random.nextInt(3) > 0 ? Place.SERVER : Place.APPLICATION);
      }
      if (kind.has(Kind.Option.ORDER) && random.nextBoolean()) {
        mint = mint.withOrder(random.nextInt(3) > 0 ? Order.ASCENDING : Order.RANDOM);
      }
      if (random.nextInt(3) > 0) {
        OldRows rows = one(random, List.of(OldRows.values()));
        mint = mint.withOldRows(rows == OldRows.CREATED && !created ? OldRows.NOW : rows);
      }
      return mint;
    }

    private static <T> T one(Random random, List<T> all) {
      return all.get(random.nextInt(all.size()));
    }

    String table() {
      return collection.name();
    }

    boolean isMissing() {
      return type.isEmpty();
    }

    boolean isKey() {
      return !isMissing() && constraint.equals("primary key");
    }

    String sql() {
      String column =
          isMissing()
              ? ""
              : ", public_id %s%s %s"
                  .formatted(type, existing.isEmpty() ? "" : " default " + existing, constraint);
      String create =
          "create table %s (id integer %s, made timestamptz%s); "
              .formatted(table(), isKey() ? "not null unique" : "primary key", column);
      // Three rows were made in the same millisecond, and the first four have no time.
      String made =
          "case when i > 4 then '2020-01-01Z'::timestamptz + (i / 3) * interval '1 s' end";
      return create
          + (isMissing()
              ? "insert into %s select i, %s from generate_series(1, %d) i"
                  .formatted(table(), made, ROWS)
              : "insert into %s select i, %s, case when i > %d then %s end from generate_series(1, %d) i"
                  .formatted(table(), made, ROWS - filled, own, ROWS));
    }

    /** Whether a row is inserted without an identifier, because a default makes it. */
    boolean isMintedByDefault() {
      if (collection.mint().isByApplication() || (isKey() && !collection.mint().isByServer())) {
        return !isMissing() && !existing.isEmpty();
      }
      return true;
    }

    String insert(int id) {
      return isMintedByDefault()
          ? "insert into %s (id, made) values (%d, now())".formatted(table(), id)
          : "insert into %s (id, made, public_id) values (%d, now(), %s)"
              .formatted(table(), id, own);
    }

    OldRows oldRows() {
      return collection
          .mint()
          .oldRows()
          .orElse(collection.created().isPresent() ? OldRows.CREATED : OldRows.NONE);
    }

    /** The rows that lack an identifier in the end. */
    long lacking() {
      int empty = isMissing() ? ROWS : ROWS - filled;
      return switch (oldRows()) {
        case NONE -> empty;
        case CREATED -> Math.min(empty, 4);
        case NOW -> 0;
      };
    }

    /** Whether rows that were filled are in the order of the key. */
    boolean isOrdered() {
      return collection.mint().oldRows().isPresent()
          && collection.kind().has(Kind.Option.ORDER)
          && !isKey();
    }
  }

  private static List<Start> starts(TestDatabase database, long seed) throws SQLException {
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    database.execute(
        "create schema team; create function team.uuidv7() returns uuid language sql volatile as 'select pg_catalog.gen_random_uuid()'");
    List<Start> starts = new ArrayList<>();
    for (int i = 0; i < TABLES; i++) {
      Start start = Start.of(seed + i, "t" + i);
      database.execute(start.sql());
      starts.add(start);
    }
    return starts;
  }

  private static Migrated migrated(TestDatabase database, List<Start> starts) {
    return new Migrated(
        database, starts.stream().map(Start::collection).toArray(CollectionSpec[]::new));
  }

  @OnServersCsv({"V14, 0", "V14, 40", "V18, 0", "V18, 40"})
  void theSecondPlanIsEmpty(TestServer server, long seed) throws SQLException {
    TestDatabase database = server.createDatabase();
    List<Start> starts = starts(database, seed);
    Migrated all = migrated(database, starts);

    assertThat(all.plan().refusals()).isEmpty();
    all.apply();
    starts.forEach(start -> database.execute(start.insert(ROWS + 1)));
    all.contract();
    starts.forEach(start -> database.execute(start.insert(ROWS + 2)));

    assertThat(all.plan().steps()).as("seed %d", seed).extracting(Step::title).isEmpty();
    for (Start start : starts) {
      check(database, start);
    }
  }

  private static void check(TestDatabase database, Start start) {
    assertThat(
            database.rows(
                "select count(*) - count(public_id), count(public_id) = count(distinct public_id), count(public_id) filter (where id > %d) from %s"
                    .formatted(ROWS, start.table())))
        .as("%s", start)
        .containsExactly(List.of(Long.toString(start.lacking()), "t", "2"));
    if (start.isOrdered()) {
      assertThat(
              database.rows(
                  "select from (select public_id::text collate \"C\" as is, lag(public_id::text collate \"C\") over (order by id) as was from %s where id <= %d) t where was >= is"
                      .formatted(start.table(), start.isMissing() ? ROWS : ROWS - start.filled())))
          .as("%s", start)
          .isEmpty();
    }
  }

  @OnServersCsv({"V14, 80", "V18, 80"})
  void rollbackRestoresEveryDefault(TestServer server, long seed) throws SQLException {
    TestDatabase database = server.createDatabase();
    Migrated all = migrated(database, starts(database, seed));
    List<String> before = withoutMigrations(SchemaText.of(database));

    all.apply();
    assertThat(withoutMigrations(SchemaText.of(database))).as("seed %d", seed).isNotEqualTo(before);
    all.rollback();

    List<String> after = withoutMigrations(SchemaText.of(database));
    assertThat(after).as("seed %d", seed).filteredOn(line -> !before.contains(line)).isEmpty();
    assertThat(before).as("seed %d", seed).filteredOn(line -> !after.contains(line)).isEmpty();
  }

  /** Without the tables of migrations, which stay. */
  private static List<String> withoutMigrations(List<String> lines) {
    return lines.stream().filter(line -> !line.contains("key_quarantine")).toList();
  }
}
