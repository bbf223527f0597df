package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that could end a quotation in a statement of a migration do not. */
@Tag("database")
class HostileNamesTest {
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$mintmark$",
        "$mintmark$$mintmark1$",
        "$$",
        "$mintmark",
        "'; select 1 --",
        "?",
        "TABLE",
        "COLUMN"
      })
  void doNotEndAQuotation(String part) throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    String quoted = part.replace("\"", "\"\"");
    database.execute(
        """
        create schema "s%1$s";
        create role "r%1$s";
        grant usage on schema "s%1$s" to "r%1$s";
        create table "s%1$s"."t%1$s" ("id%1$s" text primary key, "n%1$s" text);
        create view "s%1$s"."v%1$s" as select "id%1$s" from "s%1$s"."t%1$s";
        insert into "s%1$s"."t%1$s" values ('%2$s', 'one');
        create table "s%1$s"."u%1$s" ("id%1$s" integer primary key generated always as identity);
        create view "s%1$s"."w%1$s" as select "id%1$s" from "s%1$s"."u%1$s";
        insert into "s%1$s"."u%1$s" default values"""
            .formatted(quoted, ULID));
    Migrated things =
        new Migrated(
            database,
            CollectionSpec.builder("texts", Kind.ULID)
                .table("s%1$s.t%1$s".formatted(part))
                .column("id" + part)
                .build(),
            CollectionSpec.builder("numbers", Kind.SEQUENCE)
                .table("s%1$s.u%1$s".formatted(part))
                .column("id" + part)
                .build());
    List<String> before = SchemaText.of(database);

    things.apply();
    things.rollback();
    assertThat(SchemaText.of(database))
        .filteredOn(line -> !line.contains("mintmark.") && !line.startsWith("1 schema mintmark"))
        .containsAll(before);
    things.apply();
    things.contract();

    assertThat(things.plan().isEmpty()).isTrue();
    database.execute("drop owned by \"r%1$s\"; drop role \"r%1$s\"".formatted(quoted));
  }

  @Test
  void aTagDoesNotOccurInWhatItQuotes() {
    for (String body :
        List.of("", "$mintmark$", "a $mintmark$ b $mintmark1$", "ends with $mintmark")) {
      String quotation = SqlLiteral.body(body);
      String tag = quotation.substring(0, quotation.indexOf('$', 1) + 1);

      assertThat(quotation.indexOf(tag, 1)).isEqualTo(quotation.length() - tag.length());
      assertThat(quotation).isEqualTo(tag + "\n" + body + "\n" + tag);
    }
  }
}
