package dev.mintmark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SampleSchemasTest {
  @ParameterizedTest
  @EnumSource(
      value = TestServer.class,
      names = {"V14", "V18"})
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
