package dev.mintmark.postgres.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import dev.mintmark.Quoted;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The pack agrees with the vectors on every server, and its errors have the messages of Java. */
@Tag("database")
class PackVectorsTest {
  /** The readings that begin with milliseconds, which {@code ulid_time} expects of every UUID. */
  private static final Set<String> OF_MILLISECONDS = Set.of("ulid", "uuidv7", "typeid");

  private static final Map<TestServer, TestDatabase> INSTALLED = new EnumMap<>(TestServer.class);

  @OnServers
  void identifiersAreWrittenAndRead(TestServer server) throws SQLException {
    List<JsonNode> vectors =
        vectors("identifiers.json").filter(vector -> vector.path("forms").has("uuid")).toList();
    assertThat(vectors).hasSizeGreaterThan(60);

    try (Session sql = new Session(server)) {
      for (JsonNode vector : vectors) {
        String name = vector.path("name").stringValue();
        JsonNode forms = vector.path("forms");
        String text = forms.path("text").stringValue();
        UUID uuid = Ulid.parse(text).toUuid();
        assertThat(uuid).hasToString(forms.path("uuid").stringValue());

        assertThat(sql.ask("select mintmark.ulid_text(?)", uuid)).as(name).contains(text);
        for (String form : List.of("text", "lower")) {
          String shown = forms.path(form).stringValue();
          assertThat(sql.ask("select mintmark.ulid_uuid(?)", shown)).as(name).contains(uuid);
          assertThat(sql.ask("select mintmark.try_ulid_uuid(?)", shown)).as(name).contains(uuid);
        }
        assertThat(sql.ask("select ?::mintmark.ulid_as_text::text", text)).as(name).contains(text);
      }
    }
    Conformance.ofPackOn(server)
        .vectors(Operation.FORMAT, vectors.size())
        .vectors(Operation.PARSE, vectors.size());
  }

  @OnServers
  void timesAreReadAndBoundRanges(TestServer server) throws SQLException {
    int dated = 0;
    try (Session sql = new Session(server)) {
      for (JsonNode vector : vectors("identifiers.json").toList()) {
        JsonNode forms = vector.path("forms");
        if (!forms.has("uuid")) {
          continue;
        }
        String name = vector.path("name").stringValue();
        Ulid ulid = Ulid.parse(forms.path("text").stringValue());
        Instant time =
            Instant.ofEpochMilli(
                (Long)
                    sql.ask(
                            "select (extract(epoch from mintmark.ulid_time(?)) * 1000)::bigint",
                            ulid.toUuid())
                        .orElseThrow());

        assertThat(time).as(name).isEqualTo(ulid.time());
        if (OF_MILLISECONDS.contains(vector.path("readings").path(0).stringValue())
            && forms.has("time")) {
          assertThat(time).as(name).isEqualTo(forms.path("time").stringValue());
        }
        String begin = ulid.toString().substring(0, 10);
        for (String end : List.of("min", "max")) {
          String bound =
              "select mintmark.ulid_text(mintmark.ulid_%s(mintmark.ulid_time(?)))".formatted(end);
          assertThat(sql.ask(bound, ulid.toUuid()))
              .as(name)
              .contains(begin + (end.equals("min") ? "0" : "Z").repeat(16));
        }
        dated++;
      }
    }
    Conformance.ofPackOn(server).vectors(Operation.TIME, dated).vectors(Operation.BOUNDS, dated);
  }

  @OnServers
  void textIsReadOrRefusedInTheWordsOfJava(TestServer server) throws SQLException {
    int refused = 0;
    int refusedAsText = 0;
    try (Session sql = new Session(server)) {
      for (JsonNode vector : thatPostgresHolds("identifiers.json", "malformed.json")) {
        String input = vector.path("input").stringValue();
        Optional<UUID> read = Ulid.tryParse(input).map(Ulid::toUuid);

        assertThat(sql.ask("select mintmark.try_ulid_uuid(?)", input)).as(input).isEqualTo(read);
        if (read.isEmpty()) {
          String message = sql.refusal("22P02", "select mintmark.ulid_uuid(?)", input);
          assertThat(message)
              .isEqualTo(
                  catchThrowableOfType(MalformedIdException.class, () -> Ulid.parse(input))
                      .getMessage());
          refused++;
          if (vector.path("form").asString("").equals("text")) {
            assertThat(message).contains(vector.path("reason").stringValue());
            refusedAsText++;
          }
        }
      }
      String quote = "01ARZ3NDEKTSV4RRFFQ69G5FA\"";
      assertThat(sql.refusal("22P02", "select mintmark.ulid_uuid(?)", quote))
          .isEqualTo(
              catchThrowableOfType(MalformedIdException.class, () -> Ulid.parse(quote))
                  .getMessage());
    }
    assertThat(refusedAsText).isGreaterThan(15);
    Conformance.ofPackOn(server).vectors(Operation.REJECT, refused);
  }

  @OnServers
  void numbersAreShownAndReadBehindTheirPrefix(TestServer server) throws SQLException {
    try (Session sql = new Session(server)) {
      for (JsonNode vector : thatPostgresHolds("sequences.json")) {
        String name = vector.path("name").stringValue();
        String prefix = vector.path("prefix").stringValue();
        String input = vector.path("input").stringValue();
        if (vector.has("number")) {
          Long number = Long.valueOf(vector.path("number").stringValue());
          int width = vector.path("width").intValue();

          assertThat(sql.ask("select mintmark.prefixed(?, ?, ?)", prefix, number, width))
              .as(name)
              .contains(input);
        }

        String loose = vector.path("loose").asString("");
        if (!loose.isEmpty() && input.matches(prefix + "[0-9]{1,19}")) {
          assertThat(sql.ask("select mintmark.unprefixed(?, ?)", prefix, input))
              .as(name)
              .contains(Long.valueOf(loose));
        } else {
          assertThat(sql.refusal("22P02", "select mintmark.unprefixed(?, ?)", prefix, input))
              .as(name)
              .startsWith("malformed sequence id " + Quoted.of(input) + ": expected ");
        }
      }
    }
    Conformance.ofPackOn(server)
        .vectors(Operation.SEQUENCE, thatPostgresHolds("sequences.json").size());
  }

  @OnServers
  void typeIdsAreReadOrRefusedInTheWordsOfJava(TestServer server) throws SQLException {
    try (Session sql = new Session(server)) {
      for (JsonNode vector : thatPostgresHolds("typeids.json", "malformed.json")) {
        String input = vector.path("input").stringValue();
        Optional<TypeId> read = TypeId.tryParse(input);

        assertThat(sql.ask("select mintmark.try_typeid_uuid(?)", input))
            .as(input)
            .isEqualTo(read.map(TypeId::uuid));
        if (read.isEmpty()) {
          assertThat(sql.refusal("22P02", "select mintmark.typeid_uuid(?)", input))
              .isEqualTo(
                  catchThrowableOfType(MalformedIdException.class, () -> TypeId.parse(input))
                      .getMessage());
        } else {
          TypeId id = read.get();
          assertThat(sql.ask("select mintmark.typeid_uuid(?)", input)).contains(id.uuid());
          assertThat(sql.ask("select mintmark.typeid_text(?, ?)", id.prefix(), id.uuid()))
              .contains(input);
        }
      }
      for (String prefix : List.of("A", "_a", "a_", "a1", "a-b", "ä", "a\n", "a".repeat(64))) {
        assertThat(
                sql.refusal("22023", "select mintmark.typeid_text(?, gen_random_uuid())", prefix))
            .isEqualTo(
                catchThrowableOfType(IllegalArgumentException.class, () -> TypeId.mint(prefix))
                    .getMessage());
      }
      assertThat(sql.ask("select mintmark.typeid_text(null, gen_random_uuid())")).isEmpty();
      assertThat(sql.ask("select mintmark.typeid_text('a', null)")).isEmpty();
      assertThat(sql.ask("select mintmark.typeid_text('BAD', null)")).isEmpty();
      for (String input :
          List.of("\"ser_01h455vb4pex5vsknk084sn02q", "user_\"1h455vb4pex5vsknk084sn02q")) {
        assertThat(sql.refusal("22P02", "select mintmark.typeid_uuid(?)", input))
            .isEqualTo(
                catchThrowableOfType(MalformedIdException.class, () -> TypeId.parse(input))
                    .getMessage());
      }
      assertThat(sql.ask("select mintmark.typeid_uuid(null)")).isEmpty();
    }
    Conformance.ofPackOn(server)
        .vectors(Operation.TYPEID, thatPostgresHolds("typeids.json").size());
  }

  @OnServers
  void purisAreWrittenAndReadInTheWordsOfJava(TestServer server) throws SQLException {
    try (Session sql = new Session(server)) {
      for (JsonNode vector : vectors("puris.json").toList()) {
        String name = vector.path("name").stringValue();
        String input = vector.path("input").stringValue();
        if (vector.path("identifier").stringValue().indexOf('\0') >= 0) {
          assertThat(sql.ask("select mintmark.try_puri_parts(?)", input)).isEmpty();
          assertThat(sql.refusal("22P02", "select mintmark.puri_identifier(?)", input))
              .contains("U+0000, which PostgreSQL does not store");
          continue;
        }
        Object[] segments = {
          vector.path("namespace").stringValue(),
          vector.path("collection").stringValue(),
          vector.path("identifier").stringValue()
        };

        for (int i = 0; i < 3; i++) {
          String part = List.of("namespace", "collection", "identifier").get(i);
          assertThat(sql.ask("select mintmark.puri_%s(?)".formatted(part), input))
              .as(name)
              .contains(segments[i]);
          assertThat(sql.ask("select (mintmark.try_puri_parts(?))[%d]".formatted(i + 1), input))
              .as(name)
              .contains(segments[i]);
        }
        assertThat(sql.ask("select mintmark.puri(?, ?, ?::text)", segments))
            .as(name)
            .contains(vector.path("text").stringValue());
        assertThat(sql.ask("select mintmark.puri_canonical(?)", input))
            .as(name)
            .contains(vector.path("canonical").stringValue());
      }
      for (JsonNode vector : thatPostgresHolds("puris-malformed.json")) {
        String input = vector.path("input").stringValue();
        assertThat(sql.ask("select mintmark.try_puri_parts(?)", input)).as(input).isEmpty();
        assertThat(sql.refusal("22P02", "select mintmark.puri_namespace(?)", input))
            .contains(vector.path("reason").stringValue())
            .isEqualTo(
                catchThrowableOfType(MalformedIdException.class, () -> Puri.parse(input))
                    .getMessage());
      }
      assertThat(sql.ask("select mintmark.puri_namespace('a:b:' || repeat('!', 340))"))
          .as("1,024 characters with the necessary escapes")
          .contains("a");
      assertThat(sql.ask("select mintmark.puri_namespace('a:b:' || repeat('%41', 340))"))
          .as("1,024 characters without them")
          .contains("a");
      assertThat(sql.refusal("22P02", "select mintmark.puri_namespace('a:b:\"')"))
          .isEqualTo(
              catchThrowableOfType(MalformedIdException.class, () -> Puri.parse("a:b:\""))
                  .getMessage());
      assertThat(sql.ask("select mintmark.puri('a', 'b', 9223372036854775807)"))
          .contains("a:b:9223372036854775807");
      assertThat(sql.ask("select mintmark.puri('a', 'b', ?)", new UUID(1, 2)))
          .contains("a:b:" + new UUID(1, 2));
      assertThat(sql.ask("select mintmark.puri('a', 'b', null)")).isEmpty();
      assertThat(sql.ask("select mintmark.puri_namespace(null)")).isEmpty();
      assertThat(sql.refusal("22023", "select mintmark.puri('', 'b', 'c')"))
          .isEqualTo("malformed pURI: its namespace is empty");
      assertThat(sql.ask("select length(mintmark.puri('a', 'b', repeat('c', 1020)))"))
          .contains(1024);
      assertThat(sql.refusal("22023", "select mintmark.puri('a', 'b', repeat('c', 1021))"))
          .contains("it would have 1025 characters");
    }
  }

  @OnServers
  void fieldsOfUuidsAreThoseOfJava(TestServer server) throws SQLException {
    try (Session sql = new Session(server)) {
      List<UUID> uuids =
          Stream.concat(
                  vectors("identifiers.json")
                      .filter(vector -> vector.path("forms").has("uuid"))
                      .map(vector -> UUID.fromString(vector.path("forms").path("uuid").asString())),
                  Stream.of(
                      Uuids.NIL,
                      Uuids.MAX,
                      Uuids.mintV6(),
                      Uuids.maxV6(Instant.parse("5236-03-31T21:21:00.684697500Z")),
                      UUID.fromString("c232ab00-9414-11ec-b3c8-9f6bdeced846"),
                      UUID.fromString("ffffffff-ffff-1fff-bfff-ffffffffffff"),
                      UUID.fromString("00000000-0000-1000-8000-000000000000")))
              .toList();
      for (UUID id : uuids) {
        assertThat(
                sql.ask(
                    """
                    select concat_ws(' ', mintmark.uuid_time_low(id), mintmark.uuid_time_mid(id), mintmark.uuid_time_hi_version(id),
                      mintmark.uuid_clock_seq(id), mintmark.uuid_clock_seq_hi_variant(id), mintmark.uuid_clock_seq_low(id),
                      mintmark.uuid_node(id), mintmark.uuid_version(id), mintmark.uuid_variant(id))
                    from (select ?::uuid) v (id)
                    """,
                    id))
            .contains(
                Stream.of(
                        Uuids.timeLow(id),
                        Uuids.timeMid(id),
                        Uuids.timeHiVersion(id),
                        Uuids.clockSeq(id),
                        Uuids.clockSeqHiVariant(id),
                        Uuids.clockSeqLow(id),
                        Uuids.node(id),
                        Uuids.version(id),
                        Uuids.variant(id))
                    .map(String::valueOf)
                    .collect(Collectors.joining(" ")));
        assertThat(
                sql.ask("select (extract(epoch from mintmark.uuid_time(?)) * 1000000)::bigint", id))
            .as("%s", id)
            .isEqualTo(
                Uuids.time(id)
                    .map(time -> time.getEpochSecond() * 1_000_000 + time.getNano() / 1000));
      }
    }
  }

  @Test
  void theOneCharacterThatPostgresDoesNotHoldIsRefusedByPostgres() throws SQLException {
    try (Session sql = new Session(TestServer.NEWEST)) {
      assertThat(sql.refusal("22021", "select mintmark.try_ulid_uuid(?)", "01ARZ3NDEKTSV\0"))
          .contains("0x00");
    }
  }

  /** A fraction, or a number above a bigint, is of a type that the function does not have. */
  @OnServers
  void numbersAreNeitherRoundedNorCut(TestServer server) throws SQLException {
    try (Session sql = new Session(server)) {
      for (JsonNode vector : vectors("numbers.json").toList()) {
        String number = vector.path("number").stringValue();
        String width = vector.path("width").stringValue();
        String call = "select mintmark.prefixed('PM', %s, %s)".formatted(number, width);
        if ((number + width).contains(".") || number.equals("9223372036854775808")) {
          assertThat(sql.refusal("42883", call)).contains("does not exist");
        } else {
          assertThat(sql.refusal("22023", call)).isEqualTo(vector.path("reason").stringValue());
        }
      }
    }
  }

  private static List<JsonNode> thatPostgresHolds(String... files) {
    return Stream.of(files)
        .flatMap(PackVectorsTest::vectors)
        .filter(vector -> vector.path("input").stringValue().indexOf('\0') < 0)
        .toList();
  }

  private static Stream<JsonNode> vectors(String file) {
    InputStream stream = PackVectorsTest.class.getResourceAsStream("/vectors/" + file);
    return JsonMapper.shared().readTree(Objects.requireNonNull(stream, file)).valueStream();
  }

  /** A connection to a database with the pack. */
  private static final class Session implements AutoCloseable {
    private final Connection connection;

    Session(TestServer server) throws SQLException {
      TestDatabase database = INSTALLED.get(server);
      if (database == null) {
        database = server.createDatabase();
        Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
        INSTALLED.put(server, database);
      }
      connection = database.dataSource().getConnection();
    }

    /** The single value that a query returns; empty for null. */
    Optional<Object> ask(String query, Object... values) throws SQLException {
      try (PreparedStatement statement = connection.prepareStatement(query)) {
        for (int i = 0; i < values.length; i++) {
          statement.setObject(i + 1, values[i]);
        }
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          return Optional.ofNullable(row.getObject(1));
        }
      }
    }

    /** The message that a query fails with. */
    String refusal(String state, String query, Object... values) throws SQLException {
      try {
        Optional<Object> answer = ask(query, values);
        throw new AssertionError(query + " of " + List.of(values) + " is " + answer);
      } catch (PSQLException e) {
        assertThat(e.getSQLState()).isEqualTo(state);
        return String.valueOf(Objects.requireNonNull(e.getServerErrorMessage()).getMessage());
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
