package dev.mintmark.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.MintDeclaration;
import dev.mintmark.MintDeclaration.Place;
import dev.mintmark.Order;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Defaults are compared with what a catalog declares. */
@Tag("database")
class MintDriftTest {
  private static final MintDeclaration BY_SERVER = MintDeclaration.NONE.withPlace(Place.SERVER);

  private static DeclaredMint things(String table, MintDeclaration words) {
    return new DeclaredMint(
        table,
        "id",
        words,
        Optional.of("gen_random_uuid()").filter(mint -> !words.isByApplication()),
        "gen_random_uuid()"::equals);
  }

  private static List<String> findings(TestDatabase database, DeclaredMint... declared)
      throws SQLException {
    return Doctor.over(database.dataSource())
        .examine(DoctorOptions.defaults(), List.of(declared))
        .findings()
        .stream()
        .filter(finding -> finding.check() == Check.MINT_DRIFT)
        .map(
            finding -> finding.severity().label() + " " + finding.object() + ": " + finding.found())
        .toList();
  }

  @Test
  void anotherDefaultThanTheDeclaredOneIsFound() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create schema team;
        create function team.gen_random_uuid() returns uuid language sql as 'select pg_catalog.gen_random_uuid()';
        create table same (id uuid primary key default gen_random_uuid());
        create table other (id uuid primary key default team.gen_random_uuid());
        create table team.empty (id uuid primary key);
        create table team.beside (id uuid primary key references team.empty)""");

    assertThat(
            findings(
                database,
                things("same", BY_SERVER),
                things("other", BY_SERVER),
                things("team.empty", BY_SERVER),
                things("gone", BY_SERVER)))
        .containsExactly(
            "warning public.other.id: default team.gen_random_uuid(), but the catalog declares mint: server, which is default gen_random_uuid()",
            "warning team.empty.id: no default, but the catalog declares mint: server, which is default gen_random_uuid()");
    assertThat(
            findings(
                database,
                things("same", MintDeclaration.NONE.withPlace(Place.APPLICATION)),
                things("other", MintDeclaration.NONE.withOrder(Order.ASCENDING)),
                things("empty", MintDeclaration.NONE),
                things("beside", MintDeclaration.NONE)))
        .hasSize(3)
        .allMatch(finding -> finding.startsWith("notice "));
    assertThat(
            findings(
                database,
                things("same", MintDeclaration.NONE),
                things("other", MintDeclaration.NONE),
                things("empty", MintDeclaration.NONE.withPlace(Place.APPLICATION))))
        .isEmpty();
  }
}
