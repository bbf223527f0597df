package dev.mintmark.warehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import dev.mintmark.Quoted;
import dev.mintmark.SequenceId;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.fixtures.Conformance.Surface;
import dev.mintmark.fixtures.RandomId;
import dev.mintmark.fixtures.RandomIds;
import dev.mintmark.warehouse.WarehouseFunction.Parameter;
import java.io.InputStream;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The macros of DuckDB agree with the vectors and with Java, and fail with the same messages. */
@TestInstance(Lifecycle.PER_CLASS)
@Tag("slow")
class DuckDbFunctionsTest {
  /** Bytes at the bounds of ranges in UTF-8. */
  private static final int[] EDGES = {0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0};

  /** The kinds that begin with milliseconds. {@code ulid_time} reads every UUID in this way. */
  private static final Set<String> OF_MILLISECONDS = Set.of("ulid", "uuidv7", "typeid");

  /** Opened once, in a time zone other than UTC. */
  private final DuckDb duck = DuckDb.inMemory();

  private final Conformance compared =
      Conformance.of(
          Surface.DUCKDB, "DuckDB " + String.valueOf(duck.ask("version()")).substring(1));

  DuckDbFunctionsTest() throws SQLException {
    duck.run(WarehouseScript.of(Warehouse.DUCKDB).text());
    duck.run("set TimeZone = 'Asia/Tokyo'");
  }

  @AfterAll
  void close() throws SQLException {
    duck.close();
  }

  @Test
  void everyFunctionIsThereWithItsParameters() throws SQLException {
    List<List<@Nullable String>> expected = new ArrayList<>();
    for (WarehouseFunction function : WarehouseFunction.values()) {
      String parameters = function.parameters().stream().map(Parameter::name).toList().toString();
      expected.add(List.of(function.label(), parameters));
      if (function.hasTry()) {
        expected.add(List.of(function.tryName(), parameters));
      }
    }

    assertThat(
            duck.rows(
                "select function_name, cast(parameters as varchar) from duckdb_functions()"
                    + " where schema_name = 'mintmark' and function_type = 'macro'"))
        .containsAll(expected);
  }

  @Test
  void identifiersAreWrittenAndRead() throws SQLException {
    List<JsonNode> vectors =
        vectors("identifiers.json").filter(vector -> vector.path("forms").has("uuid")).toList();
    assertThat(vectors).hasSizeGreaterThan(60);
    List<String> texts = forms(vectors, "text");
    List<String> uuids = forms(vectors, "uuid");
    List<String> upper = uuids.stream().map(uuid -> uuid.toUpperCase(Locale.ROOT)).toList();
    duck.table(
        "ids",
        List.of("value", "lower", "id", "upper"),
        texts,
        forms(vectors, "lower"),
        uuids,
        upper);

    for (String tried : List.of("", "try_")) {
      assertThat(answers("mintmark." + tried + "ulid_text(cast(id as uuid))")).isEqualTo(texts);
      assertThat(answers("mintmark." + tried + "ulid_text(id)")).isEqualTo(texts);
      assertThat(answers("mintmark." + tried + "ulid_text(upper)")).isEqualTo(texts);
      assertThat(answers("mintmark." + tried + "ulid_uuid(value)")).isEqualTo(uuids);
      assertThat(answers("mintmark." + tried + "ulid_uuid(lower)")).isEqualTo(uuids);
    }
    assertThat(duck.ask("typeof(mintmark.ulid_uuid(?))", texts.get(0))).isEqualTo("UUID");
    compared.vectors(Operation.FORMAT, vectors.size()).vectors(Operation.PARSE, vectors.size());
  }

  @Test
  void timesDoNotDependOnTheTimeZoneOfTheSession() throws SQLException {
    List<JsonNode> vectors =
        vectors("identifiers.json")
            .filter(vector -> vector.path("forms").has("uuid"))
            .filter(vector -> vector.path("time").isString())
            .filter(
                vector -> OF_MILLISECONDS.contains(vector.path("readings").path(0).stringValue()))
            .toList();
    List<Instant> times =
        vectors.stream().map(vector -> Instant.parse(vector.path("time").stringValue())).toList();
    List<String> millis = times.stream().map(time -> "" + time.toEpochMilli()).toList();
    List<String> uuids = forms(vectors, "uuid");
    duck.table("ids", List.of("id", "time"), uuids, times.stream().map(Instant::toString).toList());

    assertThat(times).contains(Instant.ofEpochMilli(Ulid.TIME_MILLIS_MAX));
    for (String tried : List.of("", "try_")) {
      for (String id : List.of("id", "cast(id as uuid)")) {
        assertThat(answers("epoch_ms(mintmark." + tried + "ulid_time(" + id + "))"))
            .isEqualTo(millis);
      }
    }
    assertThat(answers("mintmark.ulid_min(mintmark.ulid_time(id))"))
        .isEqualTo(times.stream().map(time -> Ulid.min(time).toUuid().toString()).toList());
    assertThat(answers("mintmark.ulid_max(mintmark.ulid_time(id))"))
        .isEqualTo(times.stream().map(time -> Ulid.max(time).toUuid().toString()).toList());
    assertThat(duck.ask("typeof(mintmark.ulid_time(?))", uuids.get(0)))
        .isEqualTo("TIMESTAMP WITH TIME ZONE");
    compared.vectors(Operation.TIME, times.size()).vectors(Operation.BOUNDS, times.size());
  }

  /** A time has an offset or is in the time zone of the session, as a timestamptz in PostgreSQL. */
  @ParameterizedTest
  @CsvSource({
    "1970-01-01T00:00:00+00, 1970-01-01T00:00:00Z",
    "1970-01-01T00:00:00.000999+00, 1970-01-01T00:00:00Z",
    "2022-03-31T15:23:55.999999+00, 2022-03-31T15:23:55.999Z",
    "2022-04-01T00:23:55.999, 2022-03-31T15:23:55.999Z",
    "9999-12-31T23:59:59.999+00, 9999-12-31T23:59:59.999Z",
    "10889-08-02T05:31:50.655999+00, +10889-08-02T05:31:50.655Z"
  })
  void boundsAreThoseOfTheMillisecondThatATimeIsIn(String moment, Instant time)
      throws SQLException {
    assertThat(duck.ask("mintmark.ulid_min(cast(? as timestamptz))", moment))
        .isEqualTo(Ulid.min(time).toUuid().toString());
    assertThat(duck.ask("mintmark.ulid_max(?)", moment))
        .isEqualTo(Ulid.max(time).toUuid().toString());
  }

  @ParameterizedTest
  @CsvSource({
    "1970-01-01T09:00:00.000999999, 1970-01-01T00:00:00Z",
    "2022-04-01T00:23:55.999999499, 2022-03-31T15:23:55.999Z",
    "2022-04-01T00:23:55.999999500, 2022-03-31T15:23:55.999Z",
    "2022-04-01T00:23:55.999000000, 2022-03-31T15:23:55.999Z"
  })
  void boundsOfNanosecondsAreRoundedDown(String moment, Instant time) throws SQLException {
    assertThat(duck.ask("mintmark.ulid_min(cast(? as timestamp_ns))", moment))
        .isEqualTo(Ulid.min(time).toUuid().toString());
    assertThat(duck.ask("mintmark.ulid_max(cast(? as timestamp_ns))", moment))
        .isEqualTo(Ulid.max(time).toUuid().toString());
  }

  @ParameterizedTest
  @CsvSource({
    "1969-12-31T23:59:59.999999+00, 1969-12-31T23:59:59.999999Z",
    "1969-12-31T23:59:59+00, 1969-12-31T23:59:59Z",
    "10889-08-02T05:31:50.656+00, +10889-08-02T05:31:50.656Z"
  })
  void timesThatNoIdentifierHasAreRefusedInTheWordsOfJava(String moment, Instant time) {
    String words = messageOf(() -> Ulid.min(time));

    assertThat(duck.refusal("mintmark.ulid_min(?)", moment)).isEqualTo(words);
    assertThat(duck.refusal("mintmark.ulid_max(?)", moment)).isEqualTo(words);
    assertThat(duck.refusal("mintmark.ulid_max(timestamptz 'infinity')"))
        .isEqualTo(words.replace(time.toString(), "infinity"));
  }

  @Test
  void textIsReadOrRefusedInTheWordsOfJava() throws SQLException {
    List<String> inputs =
        Stream.of("identifiers.json", "malformed.json")
            .flatMap(DuckDbFunctionsTest::vectors)
            .map(vector -> vector.path("input").stringValue())
            .filter(DuckDbFunctionsTest::isUnicode)
            .toList();
    duck.table("ids", List.of("value"), inputs);

    assertThat(
            assertReads(inputs, "ulid_uuid(%s)", "ULID", Ulid::parse, id -> id.toUuid().toString()))
        .isGreaterThan(10);
    assertThat(
            assertReads(
                inputs, "ulid_text(%s)", "UUID", Uuids::parse, id -> Ulid.of(id).toString()))
        .isGreaterThan(10);
    assertReads(
        inputs,
        "typeid_text('a_b', %s)",
        "UUID",
        Uuids::parse,
        id -> TypeId.of("a_b", id).toString());
    assertReads(inputs, "typeid_uuid(%s)", "TypeID", TypeId::parse, id -> id.uuid().toString());
    assertReads(inputs, "puri_identifier(%s)", "pURI", Puri::parse, Puri::identifier);
    compared.vectors(
        Operation.REJECT, (int) inputs.stream().filter(id -> Ulid.tryParse(id).isEmpty()).count());
  }

  @Test
  void numbersAreShownAndReadBehindTheirPrefix() throws SQLException {
    for (JsonNode vector : vectors("sequences.json").toList()) {
      String name = vector.path("name").stringValue();
      String prefix = vector.path("prefix").stringValue();
      String input = vector.path("input").stringValue();
      if (vector.has("number")) {
        long number = Long.parseLong(vector.path("number").stringValue());
        int width = vector.path("width").intValue();
        assertThat(duck.ask("mintmark.prefixed(?, ?, ?)", prefix, number, width))
            .as(name)
            .isEqualTo(input);
        assertThat(duck.ask("mintmark.id_prefix(?)", input)).as(name).isEqualTo(prefix);
        assertThat(duck.ask("mintmark.try_id_prefix(?)", input)).as(name).isEqualTo(prefix);
      }
      String loose = vector.path("loose").asString("");
      if (!loose.isEmpty() && input.matches(prefix + "[0-9]{1,19}")) {
        assertThat(duck.ask("mintmark.unprefixed(?, ?)", prefix, input)).as(name).isEqualTo(loose);
        assertThat(duck.ask("mintmark.try_unprefixed(?, ?)", prefix, input))
            .as(name)
            .isEqualTo(loose);
      } else if (isUnicode(input)) {
        assertThat(duck.refusal("mintmark.unprefixed(?, ?)", prefix, input))
            .as(name)
            .isEqualTo(
                "malformed sequence id %s: expected %s and 1 to 19 digits, at most"
                    + " 9223372036854775807",
                Quoted.of(input), Quoted.of(prefix));
        assertThat(duck.ask("mintmark.try_unprefixed(?, ?)", prefix, input)).as(name).isNull();
      }
    }
    compared.vectors(Operation.SEQUENCE, (int) vectors("sequences.json").count());
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "P1, 1, 6",
        "'', -1, 6",
        "PM, 1, 19",
        "PM, 1, -1",
        "ABCDEFGHIJKLMNOPQ, 1, 6",
        "é, 1, 6"
      })
  void prefixedRefusesInTheWordsOfJava(String prefix, long number, int width) {
    assertThat(duck.refusal("mintmark.prefixed(?, ?, ?)", prefix, number, width))
        .isEqualTo(messageOf(() -> new SequenceId.Format(prefix, width).of(number)));
  }

  /** A number of another type is neither rounded nor cut. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1.5                    | number 1.5: expected 0 to 9223372036854775807",
        "1.5::double            | number 1.5: expected 0 to 9223372036854775807",
        "9223372036854775808    | number 9223372036854775808: expected 0 to 9223372036854775807",
        "340282366920938463463374607431768211455 | number 340282366920938463463374607431768211455:"
            + " expected 0 to 9223372036854775807",
        "12                     |",
        "12.0                   |",
        "12::double             |",
        "12::uhugeint           |",
        "'12'                   |",
      })
  void numbersOfEveryTypeAreExactOrRefused(String number, @Nullable String refusal)
      throws SQLException {
    String call = "mintmark.prefixed('PM', %s, 4)".formatted(number);
    if (refusal == null) {
      assertThat(duck.ask(call)).isEqualTo("PM0012");
    } else {
      assertThat(duck.refusal(call)).isEqualTo(refusal);
    }
  }

  @Test
  void numbersAreNeitherRoundedNorCut() {
    for (JsonNode vector : vectors("numbers.json").toList()) {
      String call =
          "mintmark.prefixed('PM', %s, %s)"
              .formatted(vector.path("number").stringValue(), vector.path("width").stringValue());
      assertThat(duck.refusal(call)).as(call).isEqualTo(vector.path("reason").stringValue());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "blob     | the id is a BLOB: convert it, | id::uuid",
        "uhugeint | the id is a UHUGEINT: convert it, | id::uhugeint::bit::blob::uuid",
        "hugeint  | the id is a HUGEINT: convert it, | id::uhugeint::bit::blob::uuid"
      })
  void idsOfOtherTypesAreRefusedWithTheirConversion(String type, String refusal, String conversion)
      throws SQLException {
    String bits = type.equals("blob") ? "blob" : "blob::bit::" + type;
    String id = "'017fe093-7adf-9932-aaaa-01fd0ba14d3f'::uuid::" + bits;

    assertThat(duck.refusal("mintmark.ulid_text(%s)".formatted(id)))
        .isEqualTo(refusal + " " + conversion);
    assertThat(duck.ask("mintmark.ulid_text(%s)".formatted(conversion.replace("id::", id + "::"))))
        .isEqualTo("01FZG96YPZK4SANAG1ZM5T2K9Z");
  }

  /** One ULID in eight has version digits of RFC 9562; its time is still its first 48 bits. */
  @Test
  void aHundredThousandUlidsKeepTheirTime() throws SQLException {
    duck.run(
        """
        create or replace table ulids as
        select r, (r * 17000003)::bigint as millis,
          (lpad(hex((r * 17000003)::bigint), 12, '0') || substring(md5(r::varchar), 1, 20))::uuid as id
        from range(100000) as t (r)
        """);

    assertThat(
            duck.rows(
                """
                select count(*), count(distinct substring(id::varchar, 15, 1))
                from ulids
                where epoch_ms(mintmark.ulid_time(id)) = millis
                  and epoch_ms(mintmark.try_ulid_time(id::varchar)) = millis
                  and mintmark.ulid_uuid(mintmark.ulid_text(id)) = id
                  and mintmark.typeid_uuid(mintmark.typeid_text('user', id)) = id
                """))
        .containsExactly(List.of("100000", "16"));
  }

  @Test
  void typeIdsAreWrittenAndReadOrRefusedInTheWordsOfJava() throws SQLException {
    List<JsonNode> vectors =
        vectors("typeids.json")
            .filter(vector -> isUnicode(vector.path("input").stringValue()))
            .toList();
    List<String> inputs =
        vectors.stream().map(vector -> vector.path("input").stringValue()).toList();
    duck.table("ids", List.of("value"), inputs);

    assertThat(
            assertReads(
                inputs, "typeid_uuid(%s)", "TypeID", TypeId::parse, id -> id.uuid().toString()))
        .isGreaterThan(8);
    for (JsonNode vector : vectors) {
      String input = vector.path("input").stringValue();
      if (vector.has("uuid")) {
        UUID uuid = UUID.fromString(vector.path("uuid").stringValue());
        String prefix = vector.path("prefix").stringValue();
        for (String tried : List.of("", "try_")) {
          assertThat(duck.ask("mintmark." + tried + "typeid_text(?, ?)", prefix, uuid))
              .isEqualTo(input);
          assertThat(duck.ask("mintmark." + tried + "id_prefix(?)", input)).isEqualTo(prefix);
        }
      }
    }
    compared.vectors(Operation.TYPEID, inputs.size());
  }

  @Test
  void typeIdRefusesAPrefixInTheWordsOfJava() throws SQLException {
    for (String prefix : List.of("_a", "a_", "A", "a".repeat(64), "é", "a\n")) {
      assertThat(duck.refusal("mintmark.typeid_text(?, ?)", prefix, Uuids.MAX))
          .isEqualTo(messageOf(() -> TypeId.of(prefix, Uuids.MAX)));
      assertThat(duck.ask("mintmark.try_typeid_text(?, ?)", prefix, Uuids.MAX)).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "00000000000000000000000001, ''",
    "user_00000000000000000000000001, user",
    "PM000123, PM",
    "12, ''",
    "A-1_000, A-1_",
    "PM9223372036854775807, PM",
    "PM9223372036854775808,",
    "80000000000000000000000000,",
    "user_8zzzzzzzzzzzzzzzzzzzzzzzzz,",
    "PM,",
    "'',",
    "ABCDEFGHIJKLMNOPQ1,",
    "1A1,",
    "PM00000000000000000001,"
  })
  void prefixOfWhateverItIs(String value, @Nullable String prefix) throws SQLException {
    assertThat(duck.ask("mintmark.try_id_prefix(?)", value)).isEqualTo(prefix);
    if (prefix == null) {
      assertThat(duck.refusal("mintmark.id_prefix(?)", value))
          .isEqualTo(
              "malformed id %s: expected a TypeID, or 1 to 19 digits after a prefix",
              Quoted.of(value));
    } else {
      assertThat(duck.ask("mintmark.id_prefix(?)", value)).isEqualTo(prefix);
    }
  }

  @Test
  void purisAreTakenApartAndPutTogether() throws SQLException {
    List<JsonNode> vectors = vectors("puris.json").toList();
    List<List<String>> members =
        Stream.of("input", "namespace", "collection", "identifier", "text")
            .map(
                member ->
                    vectors.stream().map(vector -> vector.path(member).stringValue()).toList())
            .toList();
    duck.table(
        "ids",
        List.of("value", "namespace", "collection", "identifier"),
        members.get(0),
        members.get(1),
        members.get(2),
        members.get(3));

    for (String tried : List.of("", "try_")) {
      assertThat(answers("mintmark." + tried + "puri_namespace(value)")).isEqualTo(members.get(1));
      assertThat(answers("mintmark." + tried + "puri_collection(value)")).isEqualTo(members.get(2));
      assertThat(answers("mintmark." + tried + "puri_identifier(value)")).isEqualTo(members.get(3));
      assertThat(answers("mintmark." + tried + "puri(namespace, collection, identifier)"))
          .isEqualTo(members.get(4));
    }
  }

  @Test
  void purisAreRefusedInTheWordsOfJava() throws SQLException {
    List<String> inputs =
        vectors("puris-malformed.json")
            .map(vector -> vector.path("input").stringValue())
            .filter(DuckDbFunctionsTest::isUnicode)
            .toList();
    duck.table("ids", List.of("value"), inputs);

    for (String part : List.of("namespace", "collection", "identifier")) {
      assertThat(assertReads(inputs, "puri_" + part + "(%s)", "pURI", Puri::parse, Puri::toString))
          .isZero();
    }
    String long1024 = "é".repeat(169) + "abcdef";
    for (List<String> segments :
        List.of(
            List.of("", "b", "c"),
            List.of("a", "", "c"),
            List.of("a", "b", ""),
            List.of("a", "b", "x".repeat(1021)),
            List.of("x".repeat(1025), "b", "c"),
            List.of("a", "b", long1024 + "x"))) {
      Object[] arguments = segments.toArray();
      assertThat(duck.refusal("mintmark.puri(?, ?, ?)", arguments))
          .isEqualTo(messageOf(() -> Puri.of(segments.get(0), segments.get(1), segments.get(2))));
      assertThat(duck.ask("mintmark.try_puri(?, ?, ?)", arguments)).isNull();
    }
    assertThat(duck.ask("mintmark.puri(?, ?, ?)", "a", "b", long1024))
        .isEqualTo(Puri.of("a", "b", long1024).toString())
        .hasSize(1024);
    compared.vectors(Operation.PURI, (int) vectors("puris.json").count() + inputs.size());
  }

  /** All escapes of one byte, and escapes of more bytes at the bounds of UTF-8. */
  @Test
  void escapesAreUtf8OrRefused() throws SQLException {
    List<String> inputs = new ArrayList<>();
    for (int first = 0; first < 0x100; first++) {
      inputs.add("a:b:%%%02x".formatted(first));
      for (int second : EDGES) {
        inputs.add("a:b:%%%02X%%%02x".formatted(first, second));
      }
    }
    for (int first = 0xE0; first < 0xF8; first++) {
      for (int second : EDGES) {
        for (String rest : List.of("%80", "%bf", "%7f", "%80%BF", "%80%c0", "%80%80%80")) {
          inputs.add("a:b:%%%02x%%%02X%s".formatted(first, second, rest));
        }
      }
    }
    duck.table("ids", List.of("value"), inputs);

    assertThat(answers("mintmark.try_puri_identifier(value)"))
        .isEqualTo(
            inputs.stream()
                .map(input -> Puri.tryParse(input).map(Puri::identifier).orElse(null))
                .toList());
  }

  @Test
  void nullGivesNull() throws SQLException {
    for (WarehouseFunction function : WarehouseFunction.values()) {
      List<String> names =
          function.hasTry()
              ? List.of(function.label(), function.tryName())
              : List.of(function.label());
      for (int i = 0; i < function.parameters().size(); i++) {
        List<String> arguments =
            new ArrayList<>(
                function.parameters().stream().map(DuckDbFunctionsTest::sample).toList());
        arguments.set(i, "null");
        for (String name : names) {
          String call = "mintmark.%s(%s)".formatted(name, String.join(", ", arguments));
          assertThat(duck.ask(call)).as(call).isNull();
        }
      }
    }
  }

  /** The order of {@link RandomId#converted}. */
  @Test
  void randomIdentifiersAreWrittenAndReadAsInJava() throws SQLException {
    RandomIds.compareAll(
        batch -> {
          duck.table(
              "ids",
              List.of("id", "value", "typeid", "number", "width"),
              texts(batch, id -> id.uuid().toString()),
              texts(batch, RandomId::text),
              texts(batch, RandomId::typeId),
              texts(batch, id -> "" + id.number()),
              texts(batch, id -> "" + id.width()));

          assertThat(
                  duck.rows(
                      """
                      select mintmark.ulid_text(id::uuid), mintmark.ulid_uuid(value),
                        mintmark.try_ulid_uuid(lower(value)), epoch_ms(mintmark.ulid_time(id)),
                        mintmark.ulid_min(mintmark.ulid_time(id)), mintmark.ulid_max(mintmark.ulid_time(id)),
                        mintmark.typeid_text('user', id), mintmark.typeid_uuid(typeid),
                        mintmark.prefixed('PM', number::bigint, width::integer),
                        mintmark.unprefixed('PM', mintmark.prefixed('PM', number::bigint, width::integer))
                      from ids order by n
                      """))
              .isEqualTo(batch.stream().map(RandomId::converted).toList());
          assertThat(
                  duck
                      .rows("select mintmark.ulid_text(id) from ids order by cast(id as uuid)")
                      .stream()
                      .map(row -> row.get(0)))
              .isEqualTo(batch.stream().map(RandomId::text).sorted().toList());
        });
    compared.values(
        Operation.FORMAT,
        Operation.PARSE,
        Operation.TIME,
        Operation.BOUNDS,
        Operation.SEQUENCE,
        Operation.TYPEID);
  }

  /** Characters with and without a meaning, at every position of a text. */
  @Test
  void randomTextsAreReadOrNotAsInJava() {
    RandomIds.compareAll(
        batch -> {
          duck.table(
              "ids",
              List.of("ulid", "uuid", "typeid"),
              texts(batch, id -> id.damaged().get(0)),
              texts(batch, id -> id.damaged().get(1)),
              texts(batch, id -> id.damaged().get(2)));

          assertThat(
                  duck.rows(
                      "select mintmark.try_ulid_uuid(ulid), mintmark.try_ulid_text(uuid),"
                          + " mintmark.try_typeid_uuid(typeid) from ids order by n"))
              .isEqualTo(batch.stream().map(RandomId::read).toList());
        });
    compared.values(Operation.REJECT);
  }

  @Test
  @Tag("matrix")
  void randomSegmentsAreWrittenAndReadAsInJava() {
    RandomIds.compareAll(
        batch -> {
          duck.table("ids", List.of("segment"), texts(batch, RandomId::segment));

          assertThat(
                  duck.rows(
                      "select mintmark.puri('a', 'b', segment),"
                          + " mintmark.puri_identifier(mintmark.puri('a', 'b', segment)) from ids"
                          + " order by n"))
              .isEqualTo(batch.stream().map(id -> List.of(id.puri(), id.segment())).toList());
        });
    compared.values(Operation.PURI);
  }

  private static List<String> texts(List<RandomId> batch, Function<RandomId, String> text) {
    return batch.stream().map(text).toList();
  }

  /** Constants let DuckDB skip data outside of a range before it reads the data. */
  @Test
  void callsOfConstantsAreConstants() throws SQLException {
    duck.run("create or replace table kept (id uuid)");
    duck.run("insert into kept values ('%s'), ('%s')".formatted(Uuids.NIL, Uuids.MAX));

    String plan =
        duck.rows(
                "explain select * from kept where id >= mintmark.ulid_min('2022-03-01 00:00:00+00')"
                    + " and id <> mintmark.ulid_uuid('01FZG96YPZK4SANAG1ZM5T2K9Z')")
            .toString()
            // Some versions break lines inside values.
            .replaceAll("[\\s│]+", "");

    assertThat(plan)
        .contains(
            "017fe093-7adf-9932-aaaa-01fd0ba14d3f",
            Ulid.min(Instant.parse("2022-03-01T00:00:00Z")).toUuid().toString())
        .doesNotContain("error", "list_transform");
  }

  private List<@Nullable String> answers(String expression) throws SQLException {
    return duck.answers(expression, "ids");
  }

  /**
   * Asserts that a function returns the same as {@code parse} for each of the texts, which are the
   * values of the table, that its {@code try_} variant returns null if {@code parse} throws, and
   * that the messages are equal. Returns the number of texts that were read.
   *
   * <p>Only for the first malformed text is the failing function called. For the others the message
   * is built as the function builds it: each failure needs its own query, and the driver damages
   * characters above U+FFFF in messages.
   */
  private <T> int assertReads(
      List<String> texts,
      String call,
      String kind,
      Function<String, T> parse,
      Function<T, String> answer)
      throws SQLException {
    List<@Nullable String> expected = new ArrayList<>();
    List<@Nullable String> messages = new ArrayList<>();
    Optional<String> refused = Optional.empty();
    for (String text : texts) {
      try {
        expected.add(answer.apply(parse.apply(text)));
        messages.add(null);
      } catch (MalformedIdException e) {
        refused = refused.or(() -> Optional.of(text));
        expected.add(null);
        messages.add(e.getMessage());
      }
    }
    String tried = "mintmark.try_" + call.formatted("value");
    String asked = "mintmark." + call.formatted("value");
    String why =
        "mintmark.malformed('%s', value, mintmark.why_not_%s(value))"
            .formatted(kind, kind.toLowerCase(Locale.ROOT));
    assertThat(answers(tried)).isEqualTo(expected);
    assertThat(answers("case when " + tried + " is not null then " + asked + " end"))
        .isEqualTo(expected);
    assertThat(answers("case when " + tried + " is null then " + why + " end")).isEqualTo(messages);
    String first = refused.orElseThrow();
    assertThat(duck.refusal("mintmark." + call.formatted("?"), first))
        .isEqualTo(messages.get(texts.indexOf(first)));
    return (int) expected.stream().filter(Objects::nonNull).count();
  }

  private static String sample(Parameter parameter) {
    return switch (parameter.type()) {
      case UUID -> "cast('017fe093-7adf-9932-aaaa-01fd0ba14d3f' as uuid)";
      case BIGINT, INTEGER -> "1";
      case TIME -> "timestamptz '2022-03-31 15:23:55+00'";
      case TEXT -> "'a'";
    };
  }

  private static String messageOf(ThrowingCallable call) {
    return Objects.requireNonNull(catchThrowable(call).getMessage());
  }

  /** Returns whether DuckDB can store a text: its texts are UTF-8, without lone surrogates. */
  private static boolean isUnicode(String text) {
    return text.codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  private static List<String> forms(List<JsonNode> vectors, String form) {
    return vectors.stream().map(vector -> vector.path("forms").path(form).stringValue()).toList();
  }

  private static Stream<JsonNode> vectors(String file) {
    InputStream stream = DuckDbFunctionsTest.class.getResourceAsStream("/vectors/" + file);
    return JsonMapper.shared().readTree(Objects.requireNonNull(stream, file)).valueStream();
  }
}
