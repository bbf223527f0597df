package dev.mintmark.postgres.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.NanoId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.OnServersCsv;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class IdColumnTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final IdColumn<Ulid> ULIDS = IdColumn.ofUlids();
  private static final SequenceId.Format PAYMENTS = new SequenceId.Format("PM", 6);
  private static final Ulid ID = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DATABASE.dataSource().getConnection();
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void everyIdComesBackAsItWasBound(TestServer server) throws SQLException {
    try (Connection other = server.createDatabase().dataSource().getConnection()) {
      for (SampleIds<?> sample : SampleIds.ofEveryType(7)) {
        checkRoundTrip(other, sample);
      }
    }
  }

  private static <T> void checkRoundTrip(Connection connection, SampleIds<T> sample)
      throws SQLException {
    IdColumn<T> column = sample.column();
    String type = column.storage().label();
    execute(connection, "drop table if exists kept");
    execute(connection, "create table kept (id %s, ids %s[])".formatted(type, type));

    try (PreparedStatement insert = connection.prepareStatement("insert into kept values (?, ?)")) {
      for (T id : sample.ids()) {
        column.bind(insert, 1, id);
        column.bindArray(insert, 2, List.of(id, sample.ids().get(0)));
        insert.addBatch();
      }
      insert.executeBatch();
    }

    // Each is found by its value; the driver changes to binary transfer on the way.
    try (PreparedStatement select =
        connection.prepareStatement("select id, ids from kept where id = ?")) {
      for (T id : sample.ids()) {
        column.bind(select, 1, id);
        try (ResultSet row = select.executeQuery()) {
          assertThat(row.next()).as("%s %s", column, id).isTrue();
          assertThat(column.read(row, "id")).isEqualTo(id);
          assertThat(column.read(row, 1)).isEqualTo(id);
          assertThat(column.readOptional(row, "id")).contains(id);
          assertThat(column.readArray(row, "ids")).containsExactly(id, sample.ids().get(0));
          assertThat(column.readArray(row, 2)).containsExactly(id, sample.ids().get(0));
        }
      }
    }

    // All at once, as one array there and one back.
    try (PreparedStatement select =
        connection.prepareStatement("select array_agg(id) from kept where id = any(?)")) {
      column.bindArray(select, 1, sample.ids());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(column.readArray(row, 1)).containsExactlyInAnyOrderElementsOf(sample.ids());
      }
    }
  }

  @Test
  void arrayOfNoIdsIsAnArray() throws SQLException {
    for (SampleIds<?> sample : SampleIds.ofEveryType(1)) {
      checkEmptyArray(sample.column());
    }
  }

  private <T> void checkEmptyArray(IdColumn<T> column) throws SQLException {
    boolean isText = column.storage() == Kind.Storage.TEXT;
    String array = isText ? "?::text[]" : "?";
    try (PreparedStatement select =
        connection.prepareStatement("select %1$s, pg_typeof(%1$s)::text".formatted(array))) {
      column.bindArray(select, 1, List.of());
      column.bindArray(select, 2, List.of());
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(column.readArray(row, 1)).isEmpty();
        assertThat(row.getString(2)).isEqualTo(column.storage().label() + "[]");
      }
    }
  }

  @OnServersCsv({"V14, char(26)", "V14, varchar", "V18, char(26)", "V18, varchar", "V18, text"})
  void textsAreFoundByTheIndexOfTheirColumn(TestServer server, String type) throws SQLException {
    try (Connection other = server.createDatabase().dataSource().getConnection()) {
      execute(other, "create table keyed (id %s primary key)".formatted(type));
      execute(
          other,
          "insert into keyed select lpad(i::text, 26, '0') from generate_series(1, 50000) i");
      execute(other, "analyze keyed");

      assertThat(plan(other, "?", select -> ULIDS.asText().bind(select, 1, ID)))
          .contains("Index Cond")
          .doesNotContain("Seq Scan");
      assertThat(
              plan(
                  other,
                  "any(?)",
                  select -> ULIDS.asText().bindArray(select, 1, List.of(ID, Ulid.of(0, 0)))))
          .contains("Index Cond")
          .doesNotContain("Seq Scan");
    }
  }

  private interface Binding {
    void bind(PreparedStatement statement) throws SQLException;
  }

  private static String plan(Connection connection, String operand, Binding binding)
      throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (PreparedStatement explain =
        connection.prepareStatement("explain select from keyed where id = " + operand)) {
      binding.bind(explain);
      try (ResultSet lines = explain.executeQuery()) {
        while (lines.next()) {
          plan.append(lines.getString(1)).append('\n');
        }
      }
    }
    return plan.toString();
  }

  @Test
  void nullIsBoundWithTheTypeOfTheColumn() throws SQLException {
    for (SampleIds<?> sample : SampleIds.ofEveryType(1)) {
      checkNull(sample.column());
    }
  }

  private <T> void checkNull(IdColumn<T> column) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("select ? as id, ? is null as absent, pg_typeof(?)::text")) {
      column.bindNull(select, 1);
      column.bindOptional(select, 2, Optional.empty());
      column.bindNull(select, 3);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(column.readOptional(row, "id")).isEmpty();
        assertThat(row.getBoolean("absent")).isTrue();
        assertThat(row.getString(3)).isEqualTo(column.storage().label());
      }
    }
  }

  @Test
  void optionalIdThatIsThereIsBound() throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("select ?")) {
      ULIDS.bindOptional(select, 1, Optional.of(ID));
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(ULIDS.read(row, 1)).isEqualTo(ID);
      }
    }
  }

  @Test
  void nullIsNotReadWhereAnIdIsExpected() throws SQLException {
    reading(
        "select null::uuid as id, null::uuid[] as ids, array[null::uuid] as some",
        row -> {
          assertRefused(() -> ULIDS.read(row, "id"), "22004")
              .hasMessage("column \"id\" is null: expected uuid of a ULID");
          assertRefused(() -> ULIDS.readArray(row, "ids"), "22004")
              .hasMessage("column \"ids\" is null: expected uuid of a ULID");
          assertThat(ULIDS.readOptionalArray(row, "ids")).isEmpty();
          assertRefused(() -> ULIDS.readOptionalArray(row, "some"), "22004")
              .hasMessage("column \"some\": element 1 of the array is null: expected a ULID");
        });
  }

  @Test
  void columnOfAnotherTypeIsNamedWithWhatItHolds() throws SQLException {
    reading(
        "select 7::bigint as n, 'x'::text as t, 1.5::numeric as d, array['x'] as texts,"
            + " array[array[gen_random_uuid()]] as nested, '\\x0102'::bytea as bytes",
        row -> {
          assertRefused(() -> ULIDS.read(row, "n"), "42804")
              .hasMessage("column \"n\": expected uuid of a ULID, found int8 \"7\"");
          assertRefused(() -> ULIDS.read(row, "t"), "42804")
              .hasMessage("column \"t\": expected uuid of a ULID, found text \"x\"");
          assertRefused(() -> ULIDS.asText().read(row, "n"), "42804")
              .hasMessage("column \"n\": expected text of a ULID, found int8 \"7\"");
          assertRefused(() -> IdColumn.ofSnowflakes().read(row, "d"), "42804")
              .hasMessage("column \"d\": expected bigint of a Snowflake, found numeric \"1.5\"");
          assertRefused(() -> ULIDS.read(row, "bytes"), "42804")
              .hasMessageContaining("found bytea \"\\\\x0102\"");
          assertRefused(() -> ULIDS.readArray(row, "texts"), "42804")
              .hasMessage("column \"texts\": expected uuid[] of a ULID, found _text \"{x}\"");
          assertRefused(() -> ULIDS.readArray(row, "t"), "42804")
              .hasMessage("column \"t\": expected uuid[] of a ULID, found text \"x\"");
          assertRefused(() -> ULIDS.read(row, "texts"), "42804")
              .hasMessage("column \"texts\": expected uuid of a ULID, found _text \"{x}\"");
          assertRefused(() -> ULIDS.readArray(row, "nested"), "42804")
              .hasMessageContaining("expected uuid[] of one dimension");
        });
  }

  @Test
  @SuppressWarnings("NullAway") // callers without a null checker
  void nullIsRefusedWithItsParameter() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("select ?, ?")) {
      String message =
          "parameter 2: expected an identifier of type "
              + ULIDS.type().name()
              + ", got null: bindOptional and bindNull bind null";

      assertThatThrownBy(() -> ULIDS.bind(statement, 2, null)).hasMessage(message);
      assertThatThrownBy(() -> ULIDS.bindArray(statement, 2, Arrays.asList(Ulid.mint(), null)))
          .hasMessage(message);
    }
  }

  @Test
  void textThatIsNoIdOrNotTheCanonicalOneIsRefused() throws SQLException {
    IdColumn<SequenceId> payments = IdColumn.ofSequenceIds(PAYMENTS);
    reading(
        "select '01fzg96ypzk4sanag1zm5t2k9z' as lower, 'chicken' as meat, '' as nothing,"
            + " -1::bigint as below, array['PM000001', 'PM7'] as texts",
        row -> {
          assertRefused(() -> ULIDS.asText().read(row, "lower"), "22P02")
              .hasMessage(
                  "column \"lower\": malformed ULID \"01fzg96ypzk4sanag1zm5t2k9z\": its canonical"
                      + " text is \"01FZG96YPZK4SANAG1ZM5T2K9Z\"")
              .hasCauseInstanceOf(MalformedIdException.class);
          assertRefused(() -> ULIDS.asText().read(row, "meat"), "22P02")
              .hasMessageStartingWith("column \"meat\": malformed ULID \"chicken\"");
          assertRefused(() -> ULIDS.asText().read(row, "nothing"), "22P02")
              .hasMessageStartingWith("column \"nothing\": malformed ULID \"\"");
          assertRefused(() -> payments.read(row, "below"), "22P02")
              .hasMessage("column \"below\": number -1: expected 0 to 9223372036854775807");
          assertRefused(() -> payments.asText().readArray(row, "texts"), "22P02")
              .hasMessageStartingWith("column \"texts\": malformed sequence id \"PM7\"");
        });
  }

  @Test
  void numbersAndTextsAreReadFromNarrowerColumnsToo() throws SQLException {
    IdColumn<SequenceId> payments = IdColumn.ofSequenceIds(PAYMENTS);
    execute(connection, "create domain ulid_text as text check (length(value) = 26)");
    reading(
        "select 7::int as i, 7::smallint as s, '%s'::varchar(26) as v, '%s'::char(26) as c,"
                .formatted(ID, ID)
            + " '%s'::ulid_text as d, array[7, 8] as numbers".formatted(ID),
        row -> {
          assertThat(payments.read(row, "i")).isEqualTo(PAYMENTS.of(7));
          assertThat(payments.read(row, "s")).isEqualTo(PAYMENTS.of(7));
          assertThat(payments.readArray(row, "numbers"))
              .containsExactly(PAYMENTS.of(7), PAYMENTS.of(8));
          for (String text : List.of("v", "c", "d")) {
            assertThat(ULIDS.asText().read(row, text)).isEqualTo(ID);
          }
        });
  }

  @Test
  void blanksThatPadACharAreNoPartOfTheId() throws SQLException {
    IdColumn<SequenceId> payments = IdColumn.ofSequenceIds(PAYMENTS).asText();
    reading(
        "select 'PM000007'::char(10) as c, array['PM000007', 'PM000008']::char(10)[] as many,"
            + " 'PM000007  '::text as t, array['PM000007  '] as texts",
        row -> {
          assertThat(payments.read(row, "c")).isEqualTo(PAYMENTS.of(7));
          assertThat(payments.readArray(row, "many"))
              .containsExactly(PAYMENTS.of(7), PAYMENTS.of(8));
          assertRefused(() -> payments.read(row, "t"), "22P02");
          assertRefused(() -> payments.readArray(row, "texts"), "22P02");
        });
  }

  @Test
  void arrayOfADomainIsReadAsTheTypeThatItIsMadeOf() throws SQLException {
    execute(connection, "create domain track_id as uuid");
    reading(
        "select ids, ids::uuid[] as plain from (select array['%s']::track_id[] as ids) as made"
            .formatted(ID.toUuid()),
        row -> {
          assertThat(ULIDS.readArray(row, "plain")).containsExactly(ID);
          assertRefused(() -> ULIDS.readArray(row, "ids"), "42804")
              .hasMessage(
                  "column \"ids\": expected uuid[] of a ULID, found _track_id \"{%s}\""
                      .formatted(ID.toUuid()));
        });
  }

  @Test
  void idsOfAnotherTypeSequenceOrCollectionAreNotBound() throws SQLException {
    try (PreparedStatement select = connection.prepareStatement("select ?")) {
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(
              () -> IdColumn.ofTypeIds("user").bind(select, 1, TypeId.of("order", Uuids.NIL)))
          .withMessage(
              "malformed TypeID \"order_00000000000000000000000000\": expected prefix \"user\","
                  + " found \"order\"");
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(
              () ->
                  IdColumn.ofSequenceIds(PAYMENTS)
                      .bind(select, 1, new SequenceId.Format("MD", 6).of(7)))
          .withMessage("malformed sequence id \"MD000007\": expected prefix \"PM\", found \"MD\"");
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(
              () ->
                  IdColumn.ofPuris(SampleIds.MEATS)
                      .bind(select, 1, Puri.parse("bobsburgers:payments:PM000123")))
          .withMessageContaining("expected one of \"bobsburgers:meats\"");
    }
    assertThatThrownBy(() -> IdColumn.ofTypeIds("Order"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Order");
  }

  @Test
  void purisAreKeptAsTheirCollectionsDeclare() throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("select ? as meat, ? as payment, ? as cut, ? as whole")) {
      IdColumn.ofPuris(SampleIds.MEATS)
          .bind(select, 1, SampleIds.PURIS.parse("bobsburgers:meats:" + ID));
      IdColumn.ofPuris(SampleIds.PAYMENTS)
          .bind(select, 2, SampleIds.PURIS.parse("bobsburgers:payments:PM000123"));
      IdColumn.ofPuris(SampleIds.CUTS)
          .bind(select, 3, Puri.parse("BobsBurgers:old-cuts:Chicken%2dPrime"));
      IdColumn.ofPuris(SampleIds.PURIS)
          .bind(select, 4, Puri.parse("BobsBurgers:old-cuts:Chicken%2dPrime"));
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(row.getObject("meat")).isEqualTo(ID.toUuid());
        assertThat(row.getLong("payment")).isEqualTo(123);
        assertThat(row.getString("cut")).isEqualTo("chicken-prime");
        assertThat(row.getString("whole")).isEqualTo("bobsburgers:cuts:chicken-prime");
        assertThat(IdColumn.ofPuris(SampleIds.PAYMENTS).read(row, "payment"))
            .hasToString("bobsburgers:payments:PM000123");
        assertThat(IdColumn.ofTypedIds(SampleIds.MEATS).read(row, "meat"))
            .isEqualTo(SampleIds.MEATS.parse("bobsburgers:meats:" + ID));
      }
    }
  }

  @Test
  void wholePuriUnderAnEarlierNameOfItsCollectionIsRead() throws SQLException {
    reading(
        "select 'bobsburgers:old-cuts:chicken' as whole",
        row ->
            assertThat(IdColumn.ofPuris(SampleIds.PURIS).read(row, "whole"))
                .hasToString("bobsburgers:cuts:chicken"));
  }

  @Test
  void snowflakePastTheSignedNumbersComesBack() throws SQLException {
    Snowflake last = Snowflake.parse("18446744073709551615");
    try (PreparedStatement select = connection.prepareStatement("select ?")) {
      IdColumn.ofSnowflakes().bind(select, 1, last);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        assertThat(row.getLong(1)).isEqualTo(-1);
        assertThat(IdColumn.ofSnowflakes().read(row, 1)).isEqualTo(last);
      }
    }
  }

  @Test
  void columnSaysWhatItKeeps() {
    assertThat(ULIDS).hasToString("ULID in uuid");
    assertThat(ULIDS.asText()).hasToString("ULID in text");
    assertThat(IdColumn.ofNanoIds(NanoId.Format.DEFAULT)).hasToString("NanoID in text");
    assertThat(IdColumn.ofPuris(SampleIds.PAYMENTS))
        .hasToString("pURI of \"bobsburgers:payments\" in bigint");
    IdColumn<Ulid> texts = ULIDS.asText();
    assertThat(texts.asText()).isSameAs(texts);
  }

  private interface RowCheck {
    void check(ResultSet row) throws SQLException;
  }

  private void reading(String sql, RowCheck check) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).isTrue();
      check.check(row);
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      ThrowingCallable reading, String state) {
    return assertThatThrownBy(reading)
        .isInstanceOfSatisfying(
            SQLDataException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
