package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Pack;
import java.io.InputStream;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The functions of the pack for the beginning of an identifier agree with {@link UuidRange}. */
@Tag("database")
class PrefixFunctionsTest {
  private static final List<String> NO_BEGINNINGS =
      List.of(
          "",
          "-",
          "8",
          "g",
          "01FZGU",
          "01FZGI",
          "01-FZ",
          " 01",
          "{01",
          "urn:uuid:01",
          "0１",
          "0\n",
          "01FZG96YPZK4SANAG1ZM5T2K9Z0",
          "017fe0937adf9932aaaa01fd0ba14d3f0",
          "z".repeat(27));

  @OnServers
  void rangesAreThoseOfJava(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    TreeSet<String> typed = new TreeSet<>(NO_BEGINNINGS);
    for (JsonNode vector : vectors()) {
      for (String form : List.of("text", "lower", "uuid", "hex")) {
        String text = vector.path("forms").path(form).asString("");
        for (int length = 1; length <= text.length(); length += 3) {
          typed.add(text.substring(0, length));
        }
        typed.add(text);
      }
    }
    assertThat(typed).hasSizeGreaterThan(1000);

    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                select typed, mintmark.ulid_prefix_min(typed) as ulid_min, mintmark.ulid_prefix_max(typed) as ulid_max,
                  mintmark.uuid_prefix_min(typed) as uuid_min, mintmark.uuid_prefix_max(typed) as uuid_max
                from unnest(?) typed
                """)) {
      Array texts = connection.createArrayOf("text", typed.toArray());
      statement.setArray(1, texts);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String text = row.getString("typed");
          assertThat(range(row, "ulid")).as(text).isEqualTo(UuidRange.ofUlids(text));
          assertThat(range(row, "uuid")).as(text).isEqualTo(UuidRange.ofHex(text));
        }
      }
    }
  }

  @OnServers
  void indexServesTheRangesOfALiteralAndOfAParameter(TestServer server) throws SQLException {
    TestDatabase database = installed(server);
    database.execute(
        """
        create table tracks (id uuid primary key);
        insert into tracks select gen_random_uuid() from generate_series(1, 20000);
        analyze tracks;
        """);

    assertThat(plan(database, "select from tracks where mintmark.begins_with(id, '01FZG9')"))
        .contains(
            "Index Cond: ((id >= '017fe090-0000-0000-0000-000000000000'::uuid)"
                + " AND (id <= '017fe09f-ffff-ffff-ffff-ffffffffffff'::uuid))")
        .doesNotContain("Seq Scan", "Filter");
    assertThat(plan(database, "select from tracks where mintmark.begins_with(id, '0123')"))
        .contains("BitmapOr")
        .doesNotContain("Seq Scan");
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          set plan_cache_mode = force_generic_plan;
          prepare find(text) as select from tracks where mintmark.begins_with(id, $1);
          """);
      StringBuilder plan = new StringBuilder();
      try (ResultSet row = statement.executeQuery("explain (costs off) execute find('0123')")) {
        while (row.next()) {
          plan.append(row.getString(1));
        }
      }
      assertThat(plan.toString()).contains("BitmapOr").doesNotContain("Seq Scan");
    }
    database.execute("drop table tracks");
  }

  @OnServers
  void rowsAreThoseThatBeginSo(TestServer server) throws SQLException {
    TestDatabase database = installed(server);

    assertThat(
            database.number(
                """
                with made as materialized (select gen_random_uuid() as id from generate_series(1, 3000)),
                typed as (select left(id::text, 3) as prefix from made limit 20)
                select count(*)
                from made, typed
                where coalesce(mintmark.begins_with(id, prefix), false)
                  <> (starts_with(id::text, prefix) or starts_with(mintmark.ulid_text(id), upper(prefix)))
                """))
        .isZero();
  }

  private static TestDatabase installed(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    return database;
  }

  private static String plan(TestDatabase database, String query) {
    return database.rows("explain (costs off) " + query).toString();
  }

  private static Optional<UuidRange> range(ResultSet row, String kind) throws SQLException {
    @Nullable UUID first = row.getObject(kind + "_min", UUID.class);
    @Nullable UUID last = row.getObject(kind + "_max", UUID.class);
    assertThat(first == null).isEqualTo(last == null);
    return first == null ? Optional.empty() : Optional.of(new UuidRange(first, last));
  }

  private static List<JsonNode> vectors() {
    InputStream stream = PrefixFunctionsTest.class.getResourceAsStream("/vectors/identifiers.json");
    return JsonMapper.shared().readTree(Objects.requireNonNull(stream)).valueStream().toList();
  }
}
