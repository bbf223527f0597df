package dev.mintmark.operations;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.operations.doctor.CatalogDraft;
import dev.mintmark.operations.doctor.Doctor;
import dev.mintmark.operations.migrate.InvalidValues;
import dev.mintmark.operations.migrate.MigrationPlanner;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The time to read a schema of 1,500 tables, or of {@code -Dschema-cost.tables=8000}, each with 10
 * columns, a sequence and a foreign key; run by name: {@code -Dtest=SchemaCost}. Prints the time of
 * each command, run twice.
 */
class SchemaCost {
  private static final int TABLES = Integer.getInteger("schema-cost.tables", 1_500);

  @Test
  void readsManyTables() throws Exception {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    for (int first = 1; first <= TABLES; first += 100) {
      database.execute(
          """
          do $$ begin
            for n in %d..%d loop
              execute format(
                'create table t%%1$s (id %%3$s primary key, public_id uuid default gen_random_uuid() unique,
                  parent_id bigint references t%%2$s, tenant_id text, name text, email text,
                  created_at timestamptz default now(), a int, b bigint, c text)',
                n, greatest(n - 1, 1),
                case when n %% 2 = 0 then 'bigserial' else 'bigint generated always as identity' end);
            end loop;
          end $$
          """
              .formatted(first, first + 99));
    }
    Catalog catalog =
        new Catalog(
            new NamespaceSpec(
                "shop",
                Optional.empty(),
                IntStream.rangeClosed(1, TABLES)
                    .mapToObj(
                        n -> CollectionSpec.builder("t" + n, Kind.SEQUENCE).table("t" + n).build())
                    .toList()),
            List.of(),
            List.of());
    for (int run = 1; run <= 2; run++) {
      print("doctor", () -> Doctor.over(database.dataSource()).examine().findings().size());
      print(
          "doctor --catalog",
          () -> CatalogDraft.of(database.dataSource()).catalog().collections().size());
      print(
          "migrate plan",
          () ->
              MigrationPlanner.over(database.dataSource(), "")
                  .plan(catalog, InvalidValues.REFUSE, reading -> {})
                  .steps()
                  .size());
    }
  }

  private static void print(String command, Callable<Integer> work) throws Exception {
    long from = System.nanoTime();
    int answer = work.call();
    System.out.printf(
        "%s: %d tables, answer %d, %d ms%n",
        command, TABLES, answer, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from));
  }
}
