package dev.mintmark.postgres.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mintmark.MalformedIdException;
import dev.mintmark.Quoted;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The pack agrees with the vectors on every server, and its errors have the messages of Java. */
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
  }

  @OnServers
  void timesAreReadAndBoundRanges(TestServer server) throws SQLException {
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
      }
    }
  }

  @OnServers
  void textIsReadOrRefusedInTheWordsOfJava(TestServer server) throws SQLException {
    int refused = 0;
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
          if (vector.path("form").asString("").equals("text")) {
            assertThat(message).contains(vector.path("reason").stringValue());
            refused++;
          }
        }
      }
    }
    assertThat(refused).isGreaterThan(15);
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
      assertThat(sql.ask("select mintmark.typeid_uuid(null)")).isEmpty();
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
