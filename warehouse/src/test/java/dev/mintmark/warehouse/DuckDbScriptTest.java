package dev.mintmark.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.SequenceId;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The script for DuckDB, run in DuckDB: its views return the same values as Java. */
@Tag("slow")
class DuckDbScriptTest {
  private static final UUID ID = UUID.fromString("017fe093-7adf-7932-aaaa-01fd0ba14d3f");
  private static final Ulid ULID = Ulid.of(ID);
  private static final SequenceId PAYMENT = new SequenceId.Format("PM", 6).of(123);

  private static final Path GUIDE = Path.of("..", "docs", "bigquery-guide.md");

  @TempDir Path directory;

  @Test
  void viewsOfEveryKindSurviveReopeningAndASecondRun() throws SQLException {
    Catalog catalog = WarehouseScriptTest.ofEveryKindAndStorage();
    List<CollectionSpec> tables =
        catalog.collections().stream().filter(each -> each.table().isPresent()).toList();
    String script = script("mintmark", "main", catalog);
    Path file = directory.resolve("warehouse.db");
    try (DuckDb duck = DuckDb.at(file)) {
      for (CollectionSpec collection : tables) {
        load(duck, collection);
      }
      duck.run(script);
      duck.run(script);
    }

    assertThat(tables).hasSizeGreaterThan(14);
    try (DuckDb duck = DuckDb.at(file)) {
      for (CollectionSpec collection : tables) {
        assertThat(duck.rows("from mintmark.\"%s\"".formatted(viewName(collection))))
            .as(collection.name())
            .containsExactlyElementsOf(expected(collection));
      }
    }
  }

  /** Otherwise a row would have different pURIs in the warehouse and in the service. */
  @ParameterizedTest
  @CsvSource({
    "uuidv7,   TEXT, 017FE093-7ADF-7932-AAAA-01FD0BA14D3F, true",
    "uuidv4,   TEXT, 017fe0937adf7932aaaa01fd0ba14d3f, false",
    "ulid,     TEXT, 01fzg96ypzf4sanag1zm5t2k9z, true",
    "typeid,   TEXT, user_01fzg96ypzf4sanag1zm5t2k9z, true",
    "typeid,   TEXT, admin_01fzg96ypzf4sanag1zm5t2k9z, false",
    "sequence, TEXT, PM123, true",
    "sequence, TEXT, PM0000000123, true",
    "sequence, TEXT, MD123, false",
    "sequence, BIGINT, -1, false",
    "snowflake, BIGINT, 123, true",
    "snowflake, BIGINT, -9223372036854775808, true",
    "snowflake, TEXT, 18446744073709551615, true",
    "tsid, TEXT, fzzzzzzzzzzzz, true",
    "ksuid, TEXT, 0ujtsYcgvSTl8PAuAdqWYSMnLOv, true",
    "objectid, TEXT, 507F1F77BCF86CD799439011, true",
    "xid, TEXT, 9M4E2MR0UI3E8A215N4G, true",
    "text,     TEXT, Ärger:ÄÖ-\u0130ABCXYZ, true",
    "nanoid,   TEXT, V1StGXR8_Z5jdHi6B-myT, true"
  })
  void puriOfARowIsTheOneThatItsCatalogResolves(
      String kind, Kind.Storage storage, String value, boolean reads) throws SQLException {
    CollectionSpec collection =
        WarehouseScriptTest.prefixed(Kind.parse(kind), "things")
            .table("things")
            .storage(storage)
            .build();
    Catalog catalog = new Catalog("bobsburgers", List.of(collection), List.of());
    Puri resolved = Puris.of(catalog).resolve(Puri.of("bobsburgers", "things", value));
    try (DuckDb duck = DuckDb.inMemory()) {
      duck.run("create table things (id " + type(storage) + ")");
      duck.run("insert into things values ('" + value + "')");
      duck.run(script("mintmark", "main", catalog));

      assertThat(duck.ask("(select id_puri from mintmark.things)"))
          .isEqualTo(reads ? resolved.toString() : null);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 31, 32, 38_358_284_406_638_839L, Long.MAX_VALUE, Long.MIN_VALUE, -2, -1})
  void tsidIsTheTextOfItsNumber(long number) throws SQLException {
    CollectionSpec things = CollectionSpec.builder("things", Kind.TSID).table("things").build();
    Catalog catalog = new Catalog("bobsburgers", List.of(things), List.of());
    try (DuckDb duck = DuckDb.inMemory()) {
      duck.run("create table things (id bigint)");
      duck.run("insert into things values (" + number + ")");
      duck.run(script("mintmark", "main", catalog));

      assertThat(duck.ask("(select id_text from mintmark.things)"))
          .isEqualTo(Tsid.of(number).toString());
    }
  }

  /** The script has no other word about versions that an engine would see. */
  @ParameterizedTest
  @CsvSource({
    "v0.10.3, false",
    "v1.3.2, false",
    "v1.4.0, true",
    "v1.4.4, true",
    "v1.5.0-dev12, true",
    "v2.0.0, true",
    "v10.0.0, true"
  })
  void installationFailsBelowVersion14(String version, boolean isSupported) throws SQLException {
    String script = WarehouseScript.of(Warehouse.DUCKDB).text();
    String probe = script.substring(script.indexOf("select"), script.indexOf("as duckdb;"));
    assertThat(script.indexOf("create or replace")).isGreaterThan(script.indexOf(probe));
    String expression =
        probe.substring("select".length()).replace("version()", "'" + version + "'");

    try (DuckDb duck = DuckDb.inMemory()) {
      if (isSupported) {
        assertThat(duck.ask(expression)).isEqualTo(version);
      } else {
        assertThat(duck.refusal(expression))
            .isEqualTo("these macros need DuckDB 1.4 or later: this is " + version);
      }
    }
  }

  @Test
  void schemaMayHaveAnyNameAndBeInAnAttachedDatabase() throws SQLException {
    try (DuckDb duck = DuckDb.inMemory()) {
      duck.run("attach '" + directory.resolve("lake.db") + "' as \"the lake\"");
      duck.run("create table \"the lake\".main.tracks as select uuid '" + ID + "' as id");
      CollectionSpec tracks = CollectionSpec.builder("tracks", Kind.ULID).table("tracks").build();

      duck.run(
          script(
              "the lake.my \"ids\"",
              "the lake.main",
              new Catalog("bobsburgers", List.of(tracks), List.of())));

      assertThat(duck.rows("select id_text from \"the lake\".\"my \"\"ids\"\"\".tracks"))
          .containsExactly(List.of(ULID.toString()));
      assertThat(duck.ask("\"the lake\".\"my \"\"ids\"\"\".ulid_text(?)", ID))
          .isEqualTo(ULID.toString());
    }
  }

  /** DuckDB gives a database the name of its file. The remedy is that of docs/warehouse.md. */
  @Test
  void aDatabaseWithTheNameOfTheSchemaNeedsBothNames() throws SQLException {
    Catalog catalog = new Catalog("bobsburgers", List.of(), List.of());
    try (DuckDb duck = DuckDb.at(directory.resolve("mintmark.db"))) {
      assertThatThrownBy(() -> duck.run(script("mintmark", "main", catalog)))
          .hasMessageContaining("Ambiguous reference to catalog or schema \"mintmark\"");

      duck.run(script("mintmark.mintmark", "main", catalog));

      assertThat(duck.ask("mintmark.mintmark.ulid_text(?)", ID)).isEqualTo(ULID.toString());
    }
  }

  /** Parquet files are read and written without a cluster. */
  @Test
  void parquetIsReadAndWrittenWithReadableIdentifiers() throws SQLException {
    Path raw = directory.resolve("raw.parquet");
    Path readable = directory.resolve("readable.parquet");
    try (DuckDb duck = DuckDb.inMemory()) {
      duck.run(WarehouseScript.of(Warehouse.DUCKDB).text());
      duck.run(
          "copy (select uuidv7() as id, uuidv7()::varchar as customer_id from range(5000)"
              + " union all select null, 'nonsense') to '%s'".formatted(raw));
      duck.run(
          """
          copy (
            select
              *,
              mintmark.ulid_text(id) as id_ulid,
              mintmark.try_ulid_text(customer_id) as customer_id_ulid
            from '%s')
          to '%s' (compression zstd)
          """
              .formatted(raw, readable));

      assertThat(
              duck.rows(
                  """
                  select
                    count(*),
                    count(id_ulid),
                    count(customer_id_ulid),
                    count(*) filter (mintmark.ulid_uuid(id_ulid) = id),
                    count(*) filter (
                      mintmark.ulid_uuid(customer_id_ulid)::varchar = customer_id)
                  from '%s'
                  """
                      .formatted(readable)))
          .containsExactly(List.of("5001", "5000", "5000", "5000", "5000"));
    }
  }

  /** Runs the SQL of docs/bigquery-guide.md on CSV as PostgreSQL writes it. */
  @Test
  void theGuideMakesParquetOfCsv() throws IOException, SQLException {
    Matcher block =
        Pattern.compile("^```sql duckdb\\n(?<sql>.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(Files.readString(GUIDE));
    assertThat(block.find()).isTrue();
    Files.writeString(
        directory.resolve("plain.csv"),
        "id,ulid,customer_id,total\n1,,%1$s,10.50\n2,%1$s,%1$s,20\n".formatted(ID));
    try (DuckDb duck = DuckDb.inMemory()) {
      duck.run(WarehouseScript.of(Warehouse.DUCKDB).text());

      duck.run(block.group("sql").replaceAll("'(\\w+[.](csv|parquet))'", "'" + directory + "/$1'"));

      assertThat(
              duck.rows(
                  "select id, ulid, ulid_text, ulid_time, customer_id_text from '%s/invoices.parquet'"
                      .formatted(directory)))
          .containsExactly(
              Arrays.asList("1", null, null, null, ULID.toString()),
              List.of(
                  "2",
                  ID.toString(),
                  ULID.toString(),
                  "2022-03-31T15:23:55.999Z",
                  ULID.toString()));
    }
  }

  private static String script(String schema, String tables, Catalog catalog) {
    return new WarehouseScript(Warehouse.DUCKDB, schema, tables, Optional.of(catalog)).text();
  }

  private static String viewName(CollectionSpec collection) {
    return collection.name().replace('-', '_');
  }

  /**
   * Creates the table with a valid row, a malformed row if its type allows one, and a row of null.
   */
  private static void load(DuckDb duck, CollectionSpec collection) throws SQLException {
    String[] names = collection.table().orElseThrow().split("\\.", -1);
    String schema = names.length == 1 ? "main" : names[0];
    String table = "\"%s\".\"%s\"".formatted(schema, names[names.length - 1]);
    duck.run("create schema if not exists \"" + schema + "\"");
    duck.run(
        "create table %s (\"%s\" %s)"
            .formatted(table, collection.column(), type(collection.storage())));
    for (String value : values(collection)) {
      duck.run("insert into %s values ('%s')".formatted(table, value));
    }
    duck.run("insert into " + table + " values (null)");
  }

  private static String type(Kind.Storage storage) {
    return storage == Kind.Storage.TEXT ? "varchar" : storage.label();
  }

  private static List<String> values(CollectionSpec collection) {
    String good = good(collection);
    return switch (collection.storage()) {
      case UUID -> List.of(good);
      case BIGINT -> collection.kind() != Kind.SEQUENCE ? List.of(good) : List.of(good, "-1");
      case TEXT -> List.of(good, "");
    };
  }

  private static String good(CollectionSpec collection) {
    boolean isText = collection.storage() == Kind.Storage.TEXT;
    return switch (collection.kind()) {
      case ULID -> isText ? ULID.toString() : ID.toString();
      case UUIDV7, UUIDV4 -> ID.toString();
      case TYPEID -> isText ? typeId(collection) : ID.toString();
      case SEQUENCE -> isText ? PAYMENT.toString() : "123";
      case SNOWFLAKE -> "175928847299117063";
      case TSID -> isText ? "FZZZZZZZZZZZZ" : "-1";
      case KSUID -> "0ujtsYcgvSTl8PAuAdqWYSMnLOv";
      case OBJECTID -> "507f1f77bcf86cd799439011";
      case XID -> "9m4e2mr0ui3e8a215n4g";
      case NANOID, TEXT -> "a b";
    };
  }

  private static String typeId(CollectionSpec collection) {
    return TypeId.of(collection.prefix().orElse(""), ID).toString();
  }

  /** Returns the rows of the view: the valid row, the malformed row if any, the row of null. */
  private static List<List<@Nullable String>> expected(CollectionSpec collection) {
    String good = good(collection);
    boolean isText = collection.storage() == Kind.Storage.TEXT;
    String time = "2022-03-31T15:23:55.999Z";
    List<@Nullable String> derived = new ArrayList<>();
    switch (collection.kind()) {
      case ULID -> {
        derived.add(isText ? ID.toString() : ULID.toString());
        derived.add(time);
        derived.add(puri(collection, ULID.toString()));
      }
      case UUIDV7 -> {
        if (!isText) {
          derived.add(ULID.toString());
        }
        derived.add(time);
        derived.add(puri(collection, good));
      }
      case TYPEID -> {
        derived.add(isText ? ID.toString() : typeId(collection));
        derived.add(time);
        derived.add(puri(collection, typeId(collection)));
      }
      case SEQUENCE -> {
        boolean isPlain = collection.prefix().isEmpty();
        if (!isText && !isPlain) {
          derived.add(PAYMENT.toString());
        }
        derived.add(puri(collection, isPlain ? "123" : PAYMENT.toString()));
      }
      case TSID -> {
        if (!isText) {
          derived.add("FZZZZZZZZZZZZ");
        }
        derived.add(puri(collection, "FZZZZZZZZZZZZ"));
      }
      case UUIDV4, SNOWFLAKE, NANOID, KSUID, OBJECTID, XID, TEXT ->
          derived.add(puri(collection, good));
    }
    List<List<@Nullable String>> rows = new ArrayList<>();
    for (String value : values(collection)) {
      rows.add(row(value, value.equals(good) ? derived : nulls(derived.size())));
    }
    rows.add(row(null, nulls(derived.size())));
    return rows;
  }

  private static String puri(CollectionSpec collection, String identifier) {
    return Puri.of("bobsburgers", collection.name(), identifier).toString();
  }

  private static List<@Nullable String> row(
      @Nullable String value, List<@Nullable String> derived) {
    List<@Nullable String> row = new ArrayList<>();
    row.add(value);
    row.addAll(derived);
    return row;
  }

  private static List<@Nullable String> nulls(int count) {
    List<@Nullable String> nulls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      nulls.add(null);
    }
    return nulls;
  }
}
