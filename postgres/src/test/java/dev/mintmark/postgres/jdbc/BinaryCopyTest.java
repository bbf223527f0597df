package dev.mintmark.postgres.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Ksuid;
import dev.mintmark.Mint;
import dev.mintmark.NanoId;
import dev.mintmark.ObjectId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.TypedId;
import dev.mintmark.Ulid;
import dev.mintmark.Xid;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

@Tag("slow")
class BinaryCopyTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();

  /** Every type that is taken, in the order of {@link #randomRow}. */
  private static final String EVERY_TYPE =
      "u uuid, big bigint, i integer, s smallint, t text, v varchar(40), c char(3), mood mood,"
          + " j json, jb jsonb, b boolean, d double precision, r real, n numeric,"
          + " tz timestamptz, ts timestamp, day date, raw bytea, plays plays";

  private static final String[] EVERY_COLUMN =
      "u big i s t v c mood j jb b d r n tz ts day raw plays".split(" ", -1);

  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DATABASE.dataSource().getConnection();
    execute("drop table if exists tracks");
    execute("create table tracks (id uuid primary key, title varchar(20), plays int)");
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void everyValueIsKeptAsItWasWritten(TestServer server) throws SQLException {
    long seed = 11;
    Random random = new Random(seed);
    try (Connection other = server.createDatabase().dataSource().getConnection()) {
      execute(other, "create type mood as enum ('sad', 'glad')");
      execute(other, "create domain count_ as bigint check (value >= 0)");
      execute(other, "create domain plays as count_");
      execute(other, "create table kept (row_number int, %s)".formatted(EVERY_TYPE));
      List<@Nullable Object[]> rows = new ArrayList<>();
      List<String> columns = new ArrayList<>(List.of(EVERY_COLUMN));
      columns.add("row_number");
      try (BinaryCopy copy = BinaryCopy.into(other, "kept", columns.toArray(String[]::new))) {
        for (int i = 0; i < 2_000; i++) {
          @Nullable Object[] row = randomRow(random);
          rows.add(row);
          @Nullable Object[] numbered = Arrays.copyOf(row, row.length + 1);
          numbered[row.length] = i;
          copy.write(numbered);
        }
        assertThat(copy.finish()).isEqualTo(2_000);
      }

      try (Statement statement = other.createStatement();
          ResultSet row = statement.executeQuery("select * from kept order by row_number")) {
        for (int i = 0; i < rows.size(); i++) {
          assertThat(row.next()).isTrue();
          assertThat(read(row)).as("row %d of seed %d", i, seed).isEqualTo(comparable(rows.get(i)));
        }
      }
    }
  }

  private static @Nullable Object[] randomRow(Random random) {
    @Nullable Object[] row = {
      new UUID(random.nextLong(), random.nextLong()),
      random.nextLong(),
      random.nextInt(),
      (short) random.nextInt(),
      text(random, random.nextInt(200)),
      text(random, random.nextInt(40)),
      "abc",
      random.nextBoolean() ? "sad" : "glad",
      "{\"a\":  " + random.nextInt() + "}",
      "{\"a\": " + random.nextInt() + "}",
      random.nextBoolean(),
      Double.longBitsToDouble(random.nextLong()),
      Float.intBitsToFloat(random.nextInt()),
      new BigDecimal(new BigInteger(random.nextInt(200), random), random.nextInt(60) - 20)
          .multiply(BigDecimal.valueOf(random.nextInt(3) - 1)),
      Instant.ofEpochSecond(
          random.nextLong(-210_866_803_200L, 9_224_318_016_000L),
          1_000L * random.nextInt(1_000_000)),
      LocalDateTime.of(random.nextInt(-4712, 10_000), 2, 28, 23, 59, 59, 999_999_000),
      LocalDate.ofEpochDay(random.nextLong(-2_440_588, 2_145_031_949)),
      bytes(random),
      random.nextLong() >>> 1
    };
    if (random.nextInt(4) == 0) {
      row[random.nextInt(row.length)] = null;
    }
    return row;
  }

  /** Of code points of all lengths in UTF-8, and no U+0000. */
  private static String text(Random random, int length) {
    int[] ends = {0x80, 0x800, 0xD800, 0x110000};
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      int c = 1 + random.nextInt(ends[random.nextInt(ends.length)] - 1);
      text.appendCodePoint(c >= 0xD800 && c < 0xE000 ? '?' : c);
    }
    return text.toString();
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(300)];
    random.nextBytes(bytes);
    if (random.nextBoolean()) {
      Arrays.fill(bytes, (byte) 0xFF);
    }
    return bytes;
  }

  private static List<@Nullable Object> read(ResultSet row) throws SQLException {
    List<@Nullable Object> values = new ArrayList<>();
    for (String column : EVERY_COLUMN) {
      values.add(
          switch (column) {
            case "s" -> boxedShort(row.getObject(column));
            case "j", "jb", "mood" -> row.getString(column);
            case "tz" -> {
              OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
              yield time == null ? null : time.toInstant();
            }
            case "ts" -> row.getObject(column, LocalDateTime.class);
            case "day" -> row.getObject(column, LocalDate.class);
            default -> row.getObject(column);
          });
    }
    return comparable(values.toArray());
  }

  private static @Nullable Object boxedShort(@Nullable Object value) {
    return value instanceof Integer number ? number.shortValue() : value;
  }

  /** What is compared by content: arrays as texts, decimals without the zeros at their end. */
  private static List<@Nullable Object> comparable(@Nullable Object[] values) {
    List<@Nullable Object> comparable = new ArrayList<>();
    for (Object value : values) {
      if (value instanceof byte[] bytes) {
        comparable.add(Arrays.toString(bytes));
      } else if (value instanceof BigDecimal number) {
        comparable.add(number.stripTrailingZeros());
      } else {
        comparable.add(value);
      }
    }
    return comparable;
  }

  @Test
  void everyIdIsKeptAsItsColumnKeepsIt() throws SQLException {
    for (SampleIds<?> sample : SampleIds.ofEveryType(3)) {
      checkIds(sample);
    }
  }

  private <T> void checkIds(SampleIds<T> sample) throws SQLException {
    IdColumn<T> column = sample.column();
    execute("drop table if exists kept");
    execute("create table kept (id %s)".formatted(column.storage().label()));

    try (BinaryCopy copy = BinaryCopy.into(connection, "kept", "id")) {
      for (T id : sample.ids()) {
        copy.write(value(column, id));
      }
      copy.finish();
    }

    List<T> kept = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select id from kept")) {
      while (row.next()) {
        kept.add(column.read(row, "id"));
      }
    }
    assertThat(kept).as(column.toString()).isEqualTo(sample.ids());
  }

  /** An id as it is, but for a pURI, which does not know how it is kept. */
  private static <T> Object value(IdColumn<T> column, T id) {
    boolean isDeclared = column.toString().contains("of \"");
    boolean isText = column == column.asText();
    if (isText && !(id instanceof OwnTypes.InvoiceId)) {
      return id.toString();
    }
    return id instanceof Puri puri && isDeclared ? SampleIds.PURIS.toStored(puri) : id;
  }

  @Test
  void noRowsAreLoadedAsWell() throws SQLException {
    try (BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id", "title", "plays")) {
      assertThat(copy.finish()).isZero();
    }

    assertThat(count()).isZero();
  }

  @Test
  void mintedRowsAreInTheOrderOfTheirIds() throws SQLException {
    Mint<Ulid> ids = Ulid.ascending();

    try (BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id", "plays")) {
      for (int i = 0; i < 50_000; i++) {
        copy.write(ids.mint(), i);
      }
      assertThat(copy.rows()).isEqualTo(50_000);
      assertThat(copy.finish()).isEqualTo(50_000);
    }

    assertThat(
            DATABASE.number(
                "select count(*) from (select plays - lag(plays) over (order by id) as step"
                    + " from tracks) as steps where step <> 1"))
        .isZero();
    assertThat(count()).isEqualTo(50_000);
    assertThat(DATABASE.number("select count(*) from tracks where title is null"))
        .isEqualTo(50_000);
  }

  @Test
  void rowThatIsRefusedIsNotWrittenAndOthersAre() throws SQLException {
    try (BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id", "title", "plays")) {
      copy.write(Ulid.mint(), "one", 1);
      assertRefused(copy, "table \"tracks\", row 2: expected 3 values, got 2", Ulid.mint(), "two");
      assertRefused(
          copy, "table \"tracks\", row 2: expected 3 values, got 4", Ulid.mint(), "two", 2, 2);
      assertRefused(
          copy,
          "table \"tracks\", row 2, column \"plays\" of integer: expected Integer, Short,"
              + " got Long \"5\"",
          Ulid.mint(),
          "two",
          5L);
      assertRefused(
          copy,
          "table \"tracks\", row 2, column \"id\" of uuid: expected UUID, Ulid, TypeId,"
              + " got String \"chicken\"",
          "chicken",
          "two",
          2);
      assertRefused(
          copy,
          "table \"tracks\", row 2, column \"title\" of character varying(20): character 1 of"
              + " \"a\\u0000\" cannot be stored as text",
          Ulid.mint(),
          "a\0",
          2);
      assertRefused(
          copy,
          "table \"tracks\", row 2, column \"title\" of character varying(20): character 0 of"
              + " \"\\ud800x\" cannot be stored as text",
          Ulid.mint(),
          "\ud800x",
          2);
      copy.write(Ulid.mint(), "two", 2);
      assertThat(copy.rows()).isEqualTo(2);
      assertThat(copy.finish()).isEqualTo(2);
    }

    assertThat(DATABASE.text("select string_agg(title, ',' order by plays) from tracks"))
        .isEqualTo("one,two");
  }

  @Test
  void noArrayOfValuesIsARowOfOneNull() throws SQLException {
    execute("create table if not exists notes (note text)");
    try (BinaryCopy copy = BinaryCopy.into(connection, "notes", "note")) {
      copy.write((Object[]) null);
      assertThat(copy.finish()).isEqualTo(1);
    }
    assertThat(DATABASE.number("select count(*) from notes where note is null")).isEqualTo(1);

    try (BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id", "title")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> copy.write((Object[]) null))
          .withMessage("table \"tracks\", row 1: expected 2 values, got 1");
    }
  }

  @Test
  void valueThatIsRefusedIsDescribed() throws SQLException {
    TypedId<Object> meat = SampleIds.MEATS.parse("bobsburgers:meats:01FZG96YPZK4SANAG1ZM5T2K9Z");
    try (BinaryCopy copy = BinaryCopy.into(connection, "tracks", "title")) {
      assertRefused(
          copy,
          "table \"tracks\", row 1, column \"title\" of character varying(20): expected String,"
              + " any identifier, Enum, got TypedId \"%s\", which is stored as uuid"
                  .formatted(meat),
          meat);
      assertRefused(
          copy,
          "table \"tracks\", row 1, column \"title\" of character varying(20): expected String,"
              + " any identifier, Enum, got byte[] of 3 bytes",
          new byte[3]);
    }
  }

  private static void assertRefused(BinaryCopy copy, String message, Object... values) {
    assertThatIllegalArgumentException().isThrownBy(() -> copy.write(values)).withMessage(message);
  }

  private record Undeclared(long value) {}

  @Test
  void noClassOfValueGoesIntoAColumnThatCannotKeepIt() throws SQLException {
    execute("create table if not exists types (u uuid, big bigint, i integer, s smallint, t text)");
    SequenceId sequence = new SequenceId.Format("PM", 6).of(1);
    List<Object> values =
        List.of(
            1L,
            1,
            (short) 1,
            "x",
            UUID.randomUUID(),
            Ulid.mint(),
            sequence,
            Snowflake.of(1),
            NanoId.mint(),
            TypeId.mint("user"),
            Puri.parse("a:b:c"),
            1.5,
            true,
            SampleIds.MEATS.parse("bobsburgers:meats:" + Ulid.mint()),
            SampleIds.PAYMENTS.parse("bobsburgers:payments:PM000123"),
            new OwnTypes.InvoiceId(1),
            new Undeclared(1),
            Tsid.of(1),
            Ksuid.mint(),
            ObjectId.mint(),
            Xid.mint());

    assertThat(accepted("u", values)).isEqualTo(List.of(4, 5, 9, 13));
    assertThat(accepted("big", values)).isEqualTo(List.of(0, 1, 2, 6, 7, 14, 15, 17));
    assertThat(accepted("i", values)).isEqualTo(List.of(1, 2));
    assertThat(accepted("s", values)).isEqualTo(List.of(2));
    assertThat(accepted("t", values))
        .isEqualTo(List.of(3, 4, 5, 6, 7, 8, 9, 10, 15, 17, 18, 19, 20));
  }

  /** Which of the values a column takes. */
  private List<Integer> accepted(String column, List<Object> values) throws SQLException {
    List<Integer> accepted = new ArrayList<>();
    try (BinaryCopy copy = BinaryCopy.into(connection, "types", column)) {
      for (int i = 0; i < values.size(); i++) {
        try {
          copy.write(values.get(i));
          accepted.add(i);
        } catch (IllegalArgumentException e) {
          assertThat(e).hasMessageContaining("expected").hasMessageContaining("got");
        }
      }
      assertThat(copy.finish()).isEqualTo(accepted.size());
    }
    return accepted;
  }

  @Test
  void timesAreExactToTheirEndsAndCutToTheMicrosecond() throws SQLException {
    execute("create table if not exists times (n int, at timestamptz, day date)");
    Instant first = Instant.parse("-4713-11-24T00:00:00Z");
    Instant last = Instant.parse("+294276-12-31T23:59:59.999999Z");
    try (BinaryCopy copy = BinaryCopy.into(connection, "times", "n", "at", "day")) {
      copy.write(1, first, LocalDate.parse("-4713-11-24"));
      copy.write(2, last, LocalDate.parse("+5874897-12-31"));
      copy.write(3, Instant.EPOCH.minusNanos(1), LocalDate.EPOCH);
      copy.write(4, Instant.parse("2000-01-01T00:00:00.000001999Z"), null);
      copy.write(5, Instant.parse("1999-12-31T23:59:59.999999Z"), LocalDate.parse("1999-12-31"));
      for (Instant outside :
          List.of(first.minusNanos(1), last.plusNanos(1_000), Instant.MIN, Instant.MAX)) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> copy.write(6, outside, null))
            .withMessageContaining(
                "column \"at\" of timestamp with time zone: expected a time from"
                    + " -4713-11-24T00:00:00Z, inclusive, to +294277-01-01T00:00:00Z, exclusive, got "
                    + outside);
      }
      for (LocalDate outside :
          List.of(LocalDate.parse("-4713-11-23"), LocalDate.parse("+5874898-01-01"))) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> copy.write(6, null, outside))
            .withMessageContaining("got " + outside);
      }
      copy.finish();
    }

    execute("set timezone = 'UTC'");
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("select at::text, day::text from times order by n")) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1) + " " + rows.getString(2));
      }
      assertThat(texts)
          .containsExactly(
              "4714-11-24 00:00:00+00 BC 4714-11-24 BC",
              "294276-12-31 23:59:59.999999+00 5874897-12-31",
              "1969-12-31 23:59:59.999999+00 1970-01-01",
              "2000-01-01 00:00:00.000001+00 null",
              "1999-12-31 23:59:59.999999+00 1999-12-31");
    }
  }

  @Test
  void decimalsAreTakenToTheirEndsAndRefusedBeyond() throws SQLException {
    execute("create table if not exists decimals (n numeric)");
    BigDecimal widest = BigDecimal.TEN.pow(131_072).subtract(BigDecimal.ONE);
    List<BigDecimal> written =
        new ArrayList<>(
            List.of(
                widest,
                widest.negate().subtract(new BigDecimal(BigInteger.ONE, 16_383)),
                new BigDecimal(BigInteger.ONE, 16_383),
                new BigDecimal(BigInteger.TEN, -131_070),
                BigDecimal.ZERO,
                new BigDecimal("0.000"),
                new BigDecimal("-0.00010000"),
                new BigDecimal("10000"),
                new BigDecimal("0E+200")));
    for (int scale = -9; scale < 10; scale++) {
      for (int number : new int[] {1, -12, 123, -1234, 12_345, 1_000_000}) {
        written.add(BigDecimal.valueOf(number, scale));
      }
    }
    try (BinaryCopy copy = BinaryCopy.into(connection, "decimals", "n")) {
      for (BigDecimal number : written) {
        copy.write(number);
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> copy.write(BigDecimal.TEN.pow(131_072)))
          .withMessageContaining(
              "expected at most 131072 digits before the decimal point and 16383 after it, got 131073"
                  + " and 0");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> copy.write(new BigDecimal(BigInteger.ONE, 16_384)))
          .withMessageContaining("got 0 and 16384");
      copy.finish();
    }

    List<String> kept = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select n from decimals")) {
      while (rows.next()) {
        kept.add(rows.getString(1));
      }
    }
    assertThat(kept).isEqualTo(written.stream().map(BigDecimal::toPlainString).toList());
  }

  @Test
  void largeRowsPassAndTooLargeOnesAreRefused() throws SQLException {
    execute("create table if not exists large (raw bytea)");
    execute("alter table large alter column raw set storage external");
    try (BinaryCopy copy = BinaryCopy.into(connection, "large", "raw")) {
      int sizeMax = CopyBuffer.ROW_SIZE_MAX - Short.BYTES - Integer.BYTES;
      for (int size : new int[] {0, 0xFFFF, 0x10000, 200_000, 5_000_000}) {
        copy.write(filled(size));
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> copy.write(filled(sizeMax + 1)))
          .withMessage(
              "table \"large\", row 6, column \"raw\" of bytea: the row has more than 67108864"
                  + " bytes");
      copy.write(filled(sizeMax));
      assertThat(copy.finish()).isEqualTo(6);
    }

    assertThat(
            DATABASE.text(
                "select string_agg(length(raw)::text, ' ' order by length(raw)) from large"
                    + " where raw = decode(repeat('ff', length(raw)), 'hex')"))
        .isEqualTo("0 65535 65536 200000 5000000 67108858");
  }

  private static byte[] filled(int size) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) 0xFF);
    return bytes;
  }

  @Test
  void namesAreTakenAsTheyAreAndQuoted() throws SQLException {
    execute("create schema if not exists \"My \"\"Music\"");
    execute(
        "create table if not exists \"My \"\"Music\".\"Tracks; drop\""
            + " (\"Id\" uuid, \"select\" text, gone int)");
    execute("alter table \"My \"\"Music\".\"Tracks; drop\" drop column if exists gone");

    try (BinaryCopy copy = BinaryCopy.into(connection, "My \"Music.Tracks; drop", "select", "Id")) {
      copy.write("x", Ulid.mint());
      assertThat(copy.finish()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          chicken    | id      | the database has no table "chicken", or it has no columns
          none.such  | id      | the database has no table "none.such", or it has no columns
          tracks     | titel   | table "tracks" has no column "titel": it has "id", "title", "plays"
          tracks     | ctid    | table "tracks" has no column "ctid": it has "id", "title", "plays"
          pg_class   | relacl  | table "pg_class", column "relacl" of aclitem[]: expected one of these types, a domain over one, or an array of one: uuid, int8,
          """)
  void tableOrColumnThatCannotBeLoadedIsNamed(String table, String column, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BinaryCopy.into(connection, table, column))
        .withMessageStartingWith(message);
  }

  @Test
  void columnThatIsNamedTwiceOrGeneratedIsRefused() throws SQLException {
    execute(
        "create table if not exists sums (a int, doubled int generated always as (a * 2) stored)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BinaryCopy.into(connection, "sums", "a", "a"))
        .withMessage("table \"sums\": column \"a\" is given twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BinaryCopy.into(connection, "sums", "a", "doubled"))
        .withMessage(
            "table \"sums\", column \"doubled\" is generated: omit it, the database computes"
                + " its values");
  }

  @Test
  void copyOfNoColumnsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BinaryCopy.into(connection, "tracks"))
        .withMessage("table \"tracks\": expected the names of columns, got none");
  }

  /** The server would read the bytes of each text in that encoding. */
  @Test
  void connectionWithAnotherEncodingIsRefused() throws SQLException {
    PGSimpleDataSource sessions = DATABASE.newSessions();
    sessions.setAllowEncodingChanges(true);
    try (Connection latin = sessions.getConnection()) {
      execute(latin, "set client_encoding to 'LATIN1'");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BinaryCopy.into(latin, "tracks", "title"))
          .withMessage(
              "table \"tracks\": client_encoding of the connection is LATIN1: expected UTF8");

      execute(latin, "set client_encoding to 'UNICODE'");
      BinaryCopy.into(latin, "tracks", "title").close();
    }
  }

  @Test
  void closingWithoutFinishTakesEverythingBack() throws SQLException {
    BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id");
    for (int i = 0; i < 20_000; i++) {
      copy.write(Ulid.mint());
    }
    copy.close();
    copy.close();

    assertThat(count()).isZero();
    assertThatIllegalStateException()
        .isThrownBy(() -> copy.write(Ulid.mint()))
        .withMessage("table \"tracks\": the copy has ended after 20000 rows");
    assertThatIllegalStateException().isThrownBy(copy::finish);
    assertThatTheConnectionGoesOn();
  }

  @Test
  void finishingTwiceIsRefusedAndClosingAfterwardsKeepsTheRows() throws SQLException {
    BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id");
    copy.write(Ulid.mint());
    copy.finish();

    assertThatIllegalStateException().isThrownBy(copy::finish);
    assertThatIllegalStateException().isThrownBy(() -> copy.write(Ulid.mint()));
    copy.close();
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void rowThatTheServerRefusesTakesAllBack() throws SQLException {
    Ulid same = Ulid.mint();
    try (BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id")) {
      copy.write(Ulid.mint());
      copy.write(same);
      copy.write(same);
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(copy::finish)
          .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("23505"));
    }

    assertThat(count()).isZero();
    assertThatTheConnectionGoesOn();
  }

  @Test
  void errorOfTheServerIsThrownByFinishHoweverMuchCameAfterIt() throws SQLException {
    try (BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id", "title")) {
      copy.write(Ulid.mint(), "longer than twenty characters");
      for (int i = 0; i < 100_000; i++) {
        copy.write(Ulid.mint(), "short");
      }
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(copy::finish)
          .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("22001"));
      assertThatIllegalStateException().isThrownBy(copy::finish);
    }

    assertThat(count()).isZero();
    assertThatTheConnectionGoesOn();
  }

  @Test
  void connectionThatBreaksLeavesNothing() throws SQLException {
    Connection other = DATABASE.dataSource().getConnection();
    long backend = other.unwrap(PGConnection.class).getBackendPID();
    BinaryCopy copy = BinaryCopy.into(other, "tracks", "id");
    copy.write(Ulid.mint());
    execute("select pg_terminate_backend(%d, 10000)".formatted(backend));

    assertThatExceptionOfType(SQLException.class).isThrownBy(copy::finish);
    copy.close();

    assertThat(count()).isZero();
  }

  @Test
  void nothingIsWrittenOnceTheConnectionIsBackInItsPool() throws SQLException {
    try (HikariDataSource pool = DATABASE.connectionPool(1)) {
      Connection pooled = pool.getConnection();
      BinaryCopy copy = BinaryCopy.into(pooled, "tracks", "id");
      copy.write(Ulid.mint());
      pooled.close();

      assertThatIllegalStateException()
          .isThrownBy(() -> copy.write(Ulid.mint()))
          .withMessage("table \"tracks\": the connection was closed, after 1 rows");
      assertThatIllegalStateException().isThrownBy(copy::finish);

      copy.close();
      try (Connection next = pool.getConnection()) {
        execute(next, "select 1");
      }
    }
    assertThat(count()).isZero();
  }

  @Test
  void transactionDecidesAboutWhatWasFinishedInIt() throws SQLException {
    connection.setAutoCommit(false);
    loadOne();
    connection.rollback();
    assertThat(count()).isZero();

    loadOne();
    connection.commit();
    assertThat(count()).isEqualTo(1);

    BinaryCopy.into(connection, "tracks", "id").close();
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(this::assertThatTheConnectionGoesOn)
        .satisfies(e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
    connection.rollback();
    assertThatTheConnectionGoesOn();
  }

  private void loadOne() throws SQLException {
    try (BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id")) {
      copy.write(Ulid.mint());
      copy.finish();
    }
  }

  @Test
  void rowsThatATriggerTurnsAwayAreNotCounted() throws SQLException {
    execute(
        "create or replace function odd_only() returns trigger language plpgsql as"
            + " 'begin if new.plays % 2 = 0 then return null; end if; return new; end'");
    execute("create trigger odd before insert on tracks for each row execute function odd_only()");
    try (BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id", "plays")) {
      for (int i = 0; i < 9; i++) {
        copy.write(Ulid.mint(), i);
      }
      assertThat(copy.rows()).isEqualTo(9);
      assertThat(copy.finish()).isEqualTo(4);
    }
  }

  @Test
  void roleThatMayOnlyInsertCanLoad() throws SQLException {
    execute("drop role if exists loader");
    execute("create role loader login");
    execute("grant insert (id) on tracks to loader");
    try (Connection loader = DATABASE.dataSource("loader").getConnection();
        BinaryCopy copy = BinaryCopy.into(loader, "tracks", "id")) {
      copy.write(Ulid.mint());
      assertThat(copy.finish()).isEqualTo(1);
    }
    execute("drop owned by loader");
    execute("drop role loader");
  }

  @Test
  void writingWaitsWhileTheServerDoes() throws Exception {
    execute(
        "create or replace function wait() returns trigger language plpgsql as"
            + " 'begin perform pg_advisory_xact_lock(1); return new; end'");
    execute("alter table tracks alter column title type text");
    execute("create trigger wait before insert on tracks for each row execute function wait()");
    String title = "x".repeat(20_000);
    int rows = 2_000;
    try (Connection blocker = DATABASE.dataSource().getConnection();
        BinaryCopy copy = BinaryCopy.into(connection, "tracks", "id", "title")) {
      execute(blocker, "select pg_advisory_lock(1)");
      Thread writer =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < rows; i++) {
                    copy.write(Ulid.mint(), title);
                  }
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      writer.start();
      writer.join(500);

      // Without waiting, it would have written all rows or hold them in memory by now.
      assertThat(writer.isAlive()).isTrue();

      execute(blocker, "select pg_advisory_unlock(1)");
      writer.join();
      assertThat(copy.finish()).isEqualTo(rows);
    }
  }

  private void assertThatTheConnectionGoesOn() throws SQLException {
    execute("select 1");
  }

  private long count() {
    return DATABASE.number("select count(*) from tracks");
  }

  private void execute(String sql) throws SQLException {
    execute(connection, sql);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
