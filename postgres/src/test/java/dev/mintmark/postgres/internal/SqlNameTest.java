package dev.mintmark.postgres.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("database")
class SqlNameTest {
  @Test
  void aNameIsQuotedAsItIs() {
    assertThat(SqlName.quoted("Meats")).isEqualTo("\"Meats\"");
    assertThat(SqlName.quotedTable("music.tracks")).isEqualTo("\"music\".\"tracks\"");
    assertThat(SqlName.quotedTable("tracks")).isEqualTo("\"tracks\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a\"b", "x\"; drop table y; --", "select", "Ünïcode", "a b", "a\\b", "$$"})
  void postgresReadsBackTheNameThatWasQuoted(String name) {
    TestDatabase database = TestServer.NEWEST.createDatabase();

    database.execute("create table t as select 1 as " + SqlName.quoted(name));

    assertThat(
            database.text(
                "select attname from pg_attribute where attrelid = 't'::regclass and attnum = 1"))
        .isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a\0b",
        "0123456789012345678901234567890123456789012345678901234567890123",
        "ääääääääääääääääääääääääääääääää"
      })
  void aNameThatPostgresWouldNotKeepIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SqlName.quoted(name))
        .withMessageContaining("expected 1 to 63 bytes of UTF-8, got");
  }
}
