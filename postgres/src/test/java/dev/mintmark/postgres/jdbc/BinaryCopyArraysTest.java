package dev.mintmark.postgres.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Snowflake;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Arrays, intervals, addresses and enums: what a copy wrote is what a select reads. */
@Tag("database")
class BinaryCopyArraysTest {
  private static final long SEED = 5;
  private static final int ROWS = 1_000;

  enum Mood {
    SAD,
    GLAD
  }

  @OnServers
  void arraysAreReadAsTheyWereWritten(TestServer server) throws SQLException {
    Random random = new Random(SEED);
    List<String> columns = List.of("u", "big", "i", "s", "t", "d", "n", "mood", "plays", "many");
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create type mood as enum ('SAD', 'GLAD');
        create domain plays as bigint check (value >= 0);
        create domain many as int[] check (cardinality(value) < 100);
        create table kept (
          row_number int, u uuid[], big bigint[], i integer[], s smallint[], t text[],
          d double precision[], n numeric[], mood mood[], plays plays[], many many);
        """);
    List<List<List<@Nullable Object>>> written = new ArrayList<>();
    try (Connection connection = database.dataSource().getConnection()) {
      List<String> names = new ArrayList<>(columns);
      names.add("row_number");
      try (BinaryCopy copy = BinaryCopy.into(connection, "kept", names.toArray(String[]::new))) {
        for (int row = 0; row < ROWS; row++) {
          List<List<@Nullable Object>> values = randomArrays(random);
          written.add(values);
          List<Object> all = new ArrayList<>(values);
          all.add(row);
          copy.write(all.toArray());
        }
        copy.finish();
      }

      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  """
                  select u, big, i, s, t, d, n, mood::text[], plays::bigint[], many::int[]
                  from kept order by row_number
                  """)) {
        for (List<List<@Nullable Object>> values : written) {
          assertThat(row.next()).isTrue();
          for (int column = 0; column < columns.size(); column++) {
            Array array = row.getArray(column + 1);
            assertThat((Object[]) array.getArray())
                .as("%s of seed %d", columns.get(column), SEED)
                .isEqualTo(values.get(column).stream().map(BinaryCopyArraysTest::readAs).toArray());
          }
        }
      }
    }
  }

  private static List<List<@Nullable Object>> randomArrays(Random random) {
    return List.of(
        array(random, () -> Ulid.of(random.nextLong(), random.nextLong())),
        array(random, () -> Snowflake.of(random.nextLong())),
        array(random, random::nextInt),
        array(random, () -> (short) random.nextInt()),
        array(random, () -> "a,\"{}\\ é".substring(random.nextInt(8)) + random.nextInt()),
        array(random, random::nextGaussian),
        array(random, () -> new BigDecimal(new BigInteger(90, random), random.nextInt(30))),
        array(random, () -> Mood.values()[random.nextInt(2)]),
        array(random, () -> random.nextLong() >>> 1),
        array(random, random::nextInt));
  }

  /** None to nine elements, of which each may be null. */
  private static List<@Nullable Object> array(Random random, Supplier<Object> element) {
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = random.nextInt(10); i > 0; i--) {
      elements.add(random.nextInt(5) == 0 ? null : element.get());
    }
    return elements;
  }

  /** What the driver makes of a value in an array. */
  private static @Nullable Object readAs(@Nullable Object value) {
    if (value instanceof Ulid id) {
      return id.toUuid();
    }
    if (value instanceof Snowflake id) {
      return id.toLong();
    }
    return value instanceof Mood mood ? mood.name() : value;
  }

  @OnServers
  @SuppressWarnings("JavaPeriodGetDays") // The months are compared as well.
  void intervalsAddressesTimesAndEnumsAreReadAsTheyWereWritten(TestServer server)
      throws SQLException, UnknownHostException {
    Random random = new Random(SEED);
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create type mood as enum ('SAD', 'GLAD');
        create table kept (
          n int, time interval, period interval, host inet, at timestamptz, mood mood, name text);
        """);
    try (Connection connection = database.dataSource().getConnection()) {
      List<Duration> times = new ArrayList<>(List.of(Duration.ZERO, Duration.ofNanos(-1_000)));
      List<Period> periods = new ArrayList<>(List.of(Period.ZERO, Period.of(-1, 1, -1)));
      List<InetAddress> hosts =
          new ArrayList<>(List.of(InetAddress.getByName("::"), InetAddress.getByName("0.0.0.0")));
      for (int i = 2; i < ROWS; i++) {
        times.add(Duration.ofSeconds(random.nextLong() >> 25, 1_000L * random.nextInt(1_000_000)));
        periods.add(
            Period.of(random.nextInt(9_999), random.nextInt(99) - 50, random.nextInt() >> 4));
        byte[] address = new byte[random.nextBoolean() ? 4 : 16];
        random.nextBytes(address);
        hosts.add(InetAddress.getByAddress(address));
      }
      OffsetDateTime at = OffsetDateTime.parse("2026-11-23T12:00:00.123456+05:30");
      try (BinaryCopy copy =
          BinaryCopy.into(
              connection, "kept", "n", "time", "period", "host", "at", "mood", "name")) {
        for (int i = 0; i < ROWS; i++) {
          copy.write(
              i,
              times.get(i),
              periods.get(i),
              hosts.get(i),
              at.plusSeconds(i),
              Mood.GLAD,
              Mood.SAD);
        }
        copy.finish();
      }

      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  """
                  select
                    extract(epoch from time) * 1000000,
                    extract(year from period) * 12 + extract(month from period),
                    extract(day from period),
                    host(host),
                    masklen(host),
                    at,
                    mood || ' ' || name
                  from kept order by n
                  """)) {
        for (int i = 0; i < ROWS; i++) {
          assertThat(row.next()).isTrue();
          Duration time = times.get(i);
          assertThat(row.getBigDecimal(1))
              .isEqualByComparingTo(
                  BigDecimal.valueOf(time.getSeconds())
                      .movePointRight(6)
                      .add(BigDecimal.valueOf(time.getNano() / 1_000)));
          assertThat(row.getLong(2)).isEqualTo(periods.get(i).toTotalMonths());
          assertThat(row.getInt(3)).isEqualTo(periods.get(i).getDays());
          assertThat(InetAddress.getByName(row.getString(4))).isEqualTo(hosts.get(i));
          assertThat(row.getInt(5)).isEqualTo(8 * hosts.get(i).getAddress().length);
          assertThat(row.getObject(6, OffsetDateTime.class).toInstant())
              .isEqualTo(at.plusSeconds(i).toInstant());
          assertThat(row.getString(7)).isEqualTo("GLAD SAD");
        }
      }
    }
  }

  @Test
  void javaArraysAreTakenAndWrongElementsNamed() throws SQLException, UnknownHostException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table kept (
          big bigint[], raw bytea[], at timestamptz[], host inet, time interval, vector int2vector);
        """);
    try (Connection connection = database.dataSource().getConnection();
        BinaryCopy copy = BinaryCopy.into(connection, "kept", "big", "raw", "at", "host", "time")) {
      Instant at = Instant.EPOCH;
      copy.write(
          new long[] {1, 2},
          new byte[][] {{1}, {}},
          new Object[] {at, OffsetDateTime.ofInstant(at, ZoneOffset.MAX)},
          null,
          null);
      assertRefused(
          copy,
          "column \"big\" of bigint[]: element 2: expected Long, Integer, Short, SequenceId,"
              + " Snowflake, Tsid, got String \"x\"",
          List.of(1L, "x"),
          null,
          null,
          null,
          null);
      assertRefused(
          copy,
          "column \"big\" of bigint[]: expected Collection or array of Long, Integer, Short,"
              + " SequenceId, Snowflake, Tsid, got Long \"1\"",
          1L,
          null,
          null,
          null,
          null);
      assertRefused(copy, "element 1: expected Long", List.of(List.of(1L)), null, null, null, null);
      byte[] local = InetAddress.getByName("fe80::1").getAddress();
      assertRefused(
          copy,
          "expected an address without a scope, got fe80:0:0:0:0:0:0:1%7",
          null,
          null,
          null,
          Inet6Address.getByAddress("", local, 7),
          null);
      assertRefused(
          copy,
          "2^63 - 1 microseconds",
          null,
          null,
          null,
          null,
          Duration.ofSeconds(Long.MAX_VALUE));
      assertRefused(
          copy, "at most 178956970 years", null, null, null, null, Period.ofYears(200_000_000));
      assertThat(copy.finish()).isEqualTo(1);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BinaryCopy.into(connection, "kept", "vector"))
          .withMessageContaining("column \"vector\" of int2vector: expected one of these types");
    }

    assertThat(database.text("select big::text || raw::text || cardinality(at) from kept"))
        .isEqualTo("{1,2}{\"\\\\x01\",\"\\\\x\"}2");
  }

  private static void assertRefused(BinaryCopy copy, String message, @Nullable Object... values) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> copy.write(values))
        .withMessageContaining(message);
  }

  @Test
  void arrayThatIsLargerThanTheBufferIsWhole() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table kept (ids uuid[])");
    List<UUID> ids = IntStream.range(0, 50_000).mapToObj(number -> new UUID(0, number)).toList();
    try (Connection connection = database.dataSource().getConnection();
        BinaryCopy copy = BinaryCopy.into(connection, "kept", "ids")) {
      copy.write(ids);
      copy.write(Arrays.asList((Object) null));
      copy.finish();
    }

    assertThat(
            database.text(
                "select string_agg(cardinality(ids) || ' ' || coalesce(ids[50000]::text, ''), ',' order by"
                    + " cardinality(ids)) from kept"))
        .isEqualTo("1 ,50000 00000000-0000-0000-0000-00000000c34f");
  }
}
