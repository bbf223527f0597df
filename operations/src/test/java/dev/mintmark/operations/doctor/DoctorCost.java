package dev.mintmark.operations.doctor;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/** How long an examination of a thousand tables takes; run by name: {@code -Dtest=DoctorCost}. */
class DoctorCost {
  @OnServers({TestServer.V14, TestServer.V18})
  void examinesAThousandTables(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    for (int first = 1; first <= 1000; first += 100) {
      database.execute(
          """
          do $$ begin
            for n in %d..%d loop
              execute format(
                'create table t%%1$s (id serial primary key, public_id uuid default gen_random_uuid() unique,
                  parent_id int references t%%2$s, tenant_id text, name text, email text,
                  created_at timestamptz default now(), a int, b bigint, c text)', n, greatest(n - 1, 1));
              execute format(
                'insert into t%%s (tenant_id, name) select gen_random_uuid(), x from generate_series(1, 100) x', n);
            end loop;
          end $$
          """
              .formatted(first, first + 99));
    }
    print(server, "without statistics", database);
    database.execute("analyze");
    print(server, "with statistics", database);
  }

  private static void print(TestServer server, String how, TestDatabase database)
      throws SQLException {
    for (int run = 0; run < 3; run++) {
      long from = System.nanoTime();
      Diagnosis diagnosis = Doctor.over(database.dataSource()).examine();
      System.out.printf(
          "%s, %s: %d tables, %d findings in %d ms%n",
          server,
          how,
          diagnosis.tables(),
          diagnosis.findings().size(),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from));
    }
  }
}
