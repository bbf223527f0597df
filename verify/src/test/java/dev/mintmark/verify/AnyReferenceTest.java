package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.ColumnValue;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import dev.mintmark.PuriReference;
import dev.mintmark.ReferenceTypes;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.catalog.ReferenceScript;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.PageJava;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.jdbc.ReferenceColumns;
import dev.mintmark.postgres.pack.Pack;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** References to rows of any collection, by the script of a catalog, in SQL and in Java. */
@Tag("database")
class AnyReferenceTest {
  private static final String CATALOG =
      """
      namespace: bobsburgers
      code: b
      collections:
        meats:    { kind: uuidv7, code: m }
        payments: { kind: sequence, prefix: PM, width: 6, code: p }
        seats:    { kind: tsid, code: s }
        photos:   { kind: snowflake, code: f }
        users:    { kind: typeid, prefix: user, code: u }
        tokens:   { kind: typeid, code: t }
        cuts:     { kind: text, code: c }
      """;

  private static final ReferenceColumns SUBJECT = ReferenceColumns.named("subject");

  private static final TestDatabase FIT = fit();

  private static TestDatabase database(TestServer server, String catalog) throws SQLException {
    TestDatabase database = server.createDatabase();
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    database.execute("create table comments (id bigint generated always as identity, note text)");
    run(database, catalog);
    return database;
  }

  private static void run(TestDatabase database, String catalog) {
    database.execute(
        ReferenceScript.of(catalog(catalog))
            .withColumns(Reference.parse("comments.subject"))
            .sql());
  }

  private static Catalog catalog(String yaml) {
    return CatalogReader.read("test", yaml);
  }

  @OnServers
  void pUrisOfTheVectorsBecomeTheSameReferencesInSqlAndInJava(TestServer server) throws Exception {
    String yaml = Files.readString(Checkout.vectors().resolve("puris-catalog.json"));
    Catalog catalog = catalog(yaml);
    TestDatabase database = database(server, yaml);
    int coded = 0;
    try (Connection connection = database.dataSource().getConnection()) {
      ReferenceTypes types = ReferenceColumns.types(connection, catalog);
      for (JsonNode vector : Vectors.declaredPuris()) {
        String name = vector.path("name").stringValue();
        String input = vector.path("input").stringValue();
        if (vector.path("stored").isNull()) {
          continue; // A column cannot hold it.
        }
        Puri puri = Puri.parse(input);
        PuriReference expected = types.reference(puri);

        // The functions do not know the rules of collections without a code: they take resolved
        // ones.
        String asked = expected.code() == 0 ? vector.path("canonical").stringValue() : input;
        assertThat(inSql(connection, asked)).as(name).contains(expected);
        assertThat(types.puri(expected).orElseThrow())
            .as(name)
            .hasToString(
                expected.code() == 0
                    ? vector.path("canonical").stringValue()
                    : vector.path("resolved").stringValue());
        assertThat(written(connection, expected))
            .as(name)
            .isEqualTo(types.puri(expected).orElseThrow().toString());
        if (expected.code() != 0) {
          assertThat(expected.id().toString())
              .as(name)
              .isEqualTo(vector.path("stored").path("value").stringValue());
          coded++;
        }
      }
    }
    assertThat(coded).isGreaterThan(8);
  }

  @OnServers
  void everyFormIsReadAndWritten(TestServer server) throws Exception {
    TestDatabase database = database(server, CATALOG);
    UUID id = UUID.fromString("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
    try (Connection connection = database.dataSource().getConnection()) {
      ReferenceTypes types = ReferenceColumns.types(connection, catalog(CATALOG));
      for (String text :
          List.of(
              "meats:01FZG96YPZK4SANAG1ZM5T2K9Z",
              "Meats:017fe0937adf9932aaaa01fd0ba14d3f",
              "users:USER_01fzg96ypzk4sanag1zm5t2k9z",
              "users:017FE093-7adf-9932-aaaa-01fd0ba14d3f",
              "tokens:01fzg96ypzk4sanag1zm5t2k9z",
              "tokens:01FZG96YPZK4SANAG1ZM5T2K9Z",
              "tokens:017FE093-7adf-9932-aaaa-01fd0ba14d3f",
              "payments:pm000000000000000000000000000123",
              "payments:PM0",
              "photos:9223372036854775808",
              "seats:0000000000001",
              "seats:fzzzzzzzzzzzz",
              "cuts:chicken")) {
        PuriReference expected = types.reference(Puri.parse("bobsburgers:" + text));

        assertThat(inSql(connection, "bobsburgers:" + text)).as(text).contains(expected);
        assertThat(written(connection, expected))
            .isEqualTo(types.puri(expected).orElseThrow().toString());
      }
      for (String text :
          List.of(
              "meats:chicken",
              "meats:%7B017fe093-7adf-9932-aaaa-01fd0ba14d3f%7D",
              "meats:017fe0937adf-9932aaaa01fd0ba14d3f",
              "users:usr_01fzg96ypzk4sanag1zm5t2k9z",
              "tokens:_01fzg96ypzk4sanag1zm5t2k9z",
              "tokens:user_01fzg96ypzk4sanag1zm5t2k9z",
              "payments:123",
              "payments:PM",
              "payments:PM9223372036854775808",
              "photos:01",
              "photos:18446744073709551616",
              "seats:g000000000000",
              "seats:1")) {
        Puri puri = Puri.parse("bobsburgers:" + text);
        assertThatThrownBy(() -> types.reference(puri))
            .as(text)
            .isInstanceOf(MalformedIdException.class);
        assertThatThrownBy(() -> inSql(connection, puri.toString()))
            .as(text)
            .hasMessageContaining("not an identifier of");
      }
      assertThat(types.reference(Puri.parse("bobsburgers:meats:" + id)).id())
          .isEqualTo(new ColumnValue.Uuid(id));
    }
  }

  @Test
  void rowsAreWrittenReadAndFoundByTheirReference() throws Exception {
    TestDatabase database = database(TestServer.NEWEST, CATALOG);
    try (Connection connection = database.dataSource().getConnection()) {
      ReferenceTypes types = ReferenceColumns.types(connection, catalog(CATALOG));
      for (String text :
          List.of(
              "bobsburgers:meats:017fe093-7adf-9932-aaaa-01fd0ba14d3f",
              "bobsburgers:payments:PM000123",
              "Acme:Widgets:1")) {
        PuriReference reference = types.reference(Puri.parse(text));
        try (PreparedStatement insert =
            connection.prepareStatement(
                "insert into comments (note, %s) values (?, ?, ?, ?, ?)"
                    .formatted(String.join(", ", SUBJECT.names())))) {
          insert.setString(1, text);
          SUBJECT.set(insert, 2, reference);
          insert.executeUpdate();
          SUBJECT.setNull(insert, 2);
          insert.executeUpdate();
        }
        try (PreparedStatement find =
            connection.prepareStatement(
                "select * from comments where " + SUBJECT.condition(reference))) {
          SUBJECT.setCondition(find, 1, reference);
          try (ResultSet row = find.executeQuery()) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString("note")).isEqualTo(text);
            assertThat(SUBJECT.get(row)).contains(reference);
            assertThat(row.next()).isFalse();
          }
        }
      }
      assertThat(
              database.number(
                  "select count(*) from comments where subject_type is null and subject_text is null"))
          .isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1, null, 5, null",
        "1, null, null, null",
        "1, gen_random_uuid(), 5, null",
        "-1, gen_random_uuid(), null, null",
        "-1, null, null, 'x'",
        "-1, null, 5, 'x'",
        "0, null, null, 'x'",
        "null, gen_random_uuid(), null, null",
        "null, null, 5, 'x'"
      })
  void codeAndIdThatDoNotFitAreRejected(String values) throws SQLException {
    assertThatThrownBy(
            () ->
                FIT.execute(
                    "insert into comments (subject_type, subject_uuid, subject_number, subject_text) values ("
                        + values
                        + ")"))
        .hasMessageContaining("subject_fits");
  }

  private static TestDatabase fit() {
    try {
      return database(TestServer.NEWEST, CATALOG);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @OnServers
  void codesAreAddedAndNeverGivenAgain(TestServer server) throws SQLException {
    TestDatabase database = database(server, CATALOG);
    Map<String, Short> before = codes(database);
    String more = CATALOG.replace("  meats: ", "  drinks:   { kind: ulid, code: d }\n  meats: ");
    run(database, more);
    run(database, more);
    Map<String, Short> after = codes(database);

    assertThat(after).containsAllEntriesOf(before).hasSize(before.size() + 1);
    assertThat(before).hasSize(6).doesNotContainKey("b.c");

    // Without the collection: its code stays.
    run(database, CATALOG);
    assertThat(codes(database)).isEqualTo(after);

    // Renamed, with the alias: the code and the rows stay.
    run(database, CATALOG.replace("meats:    { ", "beef: { aliases: [meats], "));
    assertThat(codes(database)).isEqualTo(after);
    assertThat(
            database.text(
                "select mintmark.reference_puri(type, uuid, number, text)"
                    + " from mintmark.reference_of('bobsburgers:meats:01FZG96YPZK4SANAG1ZM5T2K9Z')"))
        .isEqualTo("bobsburgers:beef:017fe093-7adf-9932-aaaa-01fd0ba14d3f");

    // Another collection with the code, or another storage.
    assertThatThrownBy(() -> run(database, CATALOG.replace("meats: ", "wood: ")))
        .hasMessageContaining("the code b.m was given to bobsburgers:beef");
    assertThatThrownBy(
            () ->
                run(
                    database,
                    CATALOG.replace("{ kind: uuidv7, code: m }", "{ kind: snowflake, code: m }")))
        .hasMessageContaining("the code b.m is of uuid");
    assertThat(codes(database)).isEqualTo(after);
  }

  @Test
  void declaredReferencesAreRestrictedToTheirCollections() throws SQLException {
    String declared =
        CATALOG
            + """
            references:
              likes.target: [meats, payments]
              "li'k%es.x": any
            """;
    TestDatabase database = TestServer.NEWEST.createDatabase();
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    database.execute("create table likes (id int); create table \"li'k%es\" (id int)");
    String script = ReferenceScript.of(catalog(declared)).sql();
    database.execute(script);
    database.execute(script);
    String insert =
        "insert into likes (target_type, target_uuid, target_number, target_text)"
            + " select * from mintmark.reference_of('%s')";

    database.execute(insert.formatted("bobsburgers:payments:PM1"));
    database.execute("insert into likes (id) values (1)");
    for (String other : List.of("bobsburgers:photos:1", "acme:widgets:1")) {
      assertThatThrownBy(() -> database.execute(insert.formatted(other)))
          .hasMessageContaining("target_allowed");
    }
    assertThat(database.number("select count(x_type) from \"li'k%es\"")).isZero();
    for (String wrong :
        List.of("[cuts]", "[nothing]", "[Meats]", "[other:meats]", "[]", "all", "[meats, meats]")) {
      assertThatThrownBy(() -> catalog(CATALOG + "references: { likes.target: " + wrong + " }"))
          .as(wrong)
          .hasMessageStartingWith("test:11: ");
    }
  }

  @Test
  void thePageWritesAReferenceAndReadsItAsAPuri() throws SQLException {
    TestDatabase database = database(TestServer.NEWEST, CATALOG);
    String[] statements = new Page("docs/puris.md").blocks("sql").get(0).split("(?<=;)\n", 2);

    database.execute(statements[0]);

    assertThat(database.rows(statements[1]))
        .containsExactly(List.of("bobsburgers:meats:017fe093-7adf-9932-aaaa-01fd0ba14d3f"));
  }

  @Test
  void theJavaOfThePageCompiles() {
    List<String> blocks =
        new Page("docs/puris.md")
            .blocks("java").stream().filter(block -> block.contains("connection")).toList();

    assertThat(blocks).hasSize(1);
    assertThat(
            PageJava.errors(
                "void run() throws Exception {\n" + blocks.get(0) + "}\n",
                List.of("dev.mintmark.*", "dev.mintmark.postgres.jdbc.*", "java.sql.*"),
                """
                Catalog catalog; Puris puris; Connection connection; PreparedStatement insert; ResultSet row;
                """))
        .isEmpty();
  }

  /** What an older catalog kept as text becomes a reference with a code. */
  @Test
  void rowsOfATypeThatWasUnknownAreConverted() throws SQLException {
    TestDatabase database = database(TestServer.NEWEST, CATALOG);
    String insert =
        "insert into comments (subject_type, subject_uuid, subject_number, subject_text)"
            + " select * from mintmark.reference_of('bobsburgers:drinks:01FZG96YPZK4SANAG1ZM5T2K9Z')";
    database.execute(insert);
    run(database, CATALOG.replace("  meats: ", "  drinks:   { kind: ulid, code: d }\n  meats: "));

    database.execute(
        new Page("docs/puris.md")
            .blocks("sql").stream()
                .filter(sql -> sql.contains("update comments"))
                .findFirst()
                .orElseThrow());
    database.execute(insert);

    assertThat(
            database.number(
                "select count(distinct (subject_type, subject_uuid)) * 100 + count(*) from comments where subject_type > 0"))
        .isEqualTo(102);
  }

  @Test
  void typesThatTheCatalogOrTheDatabaseDoesNotHave() {
    Catalog catalog = catalog(CATALOG);
    ReferenceTypes older = ReferenceTypes.of(catalog, Map.of("b.x", (short) 7));
    PuriReference unknown = new PuriReference((short) 7, new ColumnValue.Uuid(new UUID(1, 2)));

    assertThat(older.puri(unknown)).isEqualTo(Optional.empty());
    assertThatThrownBy(() -> older.reference(Puri.parse("bobsburgers:payments:PM1")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("mintmark catalog references");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReferenceTypes.of(catalog, Map.of("b.m", (short) -1)))
        .withMessageContaining("which is of bigint");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PuriReference((short) 1, new ColumnValue.Bigint(5)))
        .withMessageContaining("expected uuid");
  }

  private static Map<String, Short> codes(TestDatabase database) {
    Map<String, Short> codes = new TreeMap<>();
    database
        .rows("select codes, code from mintmark.reference_type")
        .forEach(row -> codes.put(row.get(0), Short.valueOf(row.get(1))));
    return codes;
  }

  private static Optional<PuriReference> inSql(Connection connection, String puri)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select type as subject_type, uuid as subject_uuid, number as subject_number, text as subject_text"
                + " from mintmark.reference_of(?)")) {
      statement.setString(1, puri);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return SUBJECT.get(row);
      }
    }
  }

  private static String written(Connection connection, PuriReference reference)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select mintmark.reference_puri(?, ?, ?, ?)")) {
      SUBJECT.set(statement, 1, reference);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }
}
