package dev.mintmark.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class SampleSchemasTest {
  @OnServers({TestServer.V14, TestServer.V18})
  void schemasLoadWithRowsInEveryTable(TestServer server) {
    for (SampleSchemas schema : SampleSchemas.values()) {
      TestDatabase database = server.createDatabase();

      SampleSchemas.load(database, schema);

      assertThat(
              database.rows(
                  "select relname from pg_class"
                      + " where relnamespace = 'public'::regnamespace and relkind = 'r'"
                      + " and reltuples <= 0 and relname <> 'payment_p2022_07'"))
          .as("tables without rows: %s", schema)
          .isEmpty();
    }
  }
}
