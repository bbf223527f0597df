package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class BackfillTest {
  private static final int ROWS = 5_000;

  @Test
  void doesNotGoThroughWhatItWroteItself() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table meats (id bigint primary key, made_at timestamptz not null);
        insert into meats select n, now() from generate_series(1, %d) n;
        analyze meats"""
            .formatted(ROWS));
    Migrated meats =
        new Migrated(
            database,
            CollectionSpec.builder("meats", Kind.ULID)
                .table("meats")
                .column("public_id")
                .created("made_at")
                .build());

    meats.apply();

    assertThat(database.number("select count(distinct public_id) from meats")).isEqualTo(ROWS);
    assertThat(meats.migrations.status().orElseThrow().steps())
        .filteredOn(step -> step.title().startsWith("fill public.meats"))
        .singleElement()
        // Some of what it writes finds room in the last block there was.
        .satisfies(step -> assertThat(step.rowsDone()).isBetween((long) ROWS, ROWS * 11L / 10));
  }
}
