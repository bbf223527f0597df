package dev.mintmark.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.IdType;
import dev.mintmark.MalformedIdException;
import dev.mintmark.NanoId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.jdbi.ShopTypes.PaymentId;
import dev.mintmark.jdbi.ShopTypes.Track;
import dev.mintmark.jdbi.ShopTypes.TrackId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.generic.GenericType;
import org.jdbi.v3.core.mapper.reflect.ConstructorMapper;
import org.jdbi.v3.core.result.ResultSetException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class MintmarkPluginTest {
  private static final String TABLE =
      """
      create table tracks (
        id uuid primary key,
        payment bigint,
        flake bigint,
        nano text,
        puri text,
        parent uuid,
        related uuid[] not null default '{}',
        payments bigint[] not null default '{}')
      """;

  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final Ulid ID = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");

  static {
    DATABASE.execute(TABLE);
  }

  private static Jdbi jdbi() {
    return Jdbi.create(DATABASE.dataSource()).installPlugins();
  }

  @OnServers
  void rowComesBackAsItWasBound(TestServer server) {
    TestDatabase database = server.createDatabase();
    database.execute(TABLE);
    Jdbi jdbi = Jdbi.create(database.dataSource()).installPlugins();
    Track track =
        new Track(
            new TrackId(ID),
            new PaymentId(123),
            Snowflake.parse("18446744073709551615"),
            NanoId.parse("V1StGXR8_Z5jdHi6B-myT"),
            Puri.parse("shop:tracks:a"),
            null,
            List.of(ID, Ulid.of(-1, -1)),
            Set.of(new PaymentId(0), new PaymentId(Long.MAX_VALUE)));

    Track returned =
        jdbi.withHandle(
            handle ->
                handle
                    .registerRowMapper(ConstructorMapper.factory(Track.class))
                    .createQuery(
                        "insert into tracks values (:id, :payment, :flake, :nano, :puri, :parent,"
                            + " :related, :payments) returning *")
                    .bindMethods(track)
                    .mapTo(Track.class)
                    .one());

    assertThat(returned).isEqualTo(track);
    String stored =
        jdbi.withHandle(
            handle ->
                handle
                    .select("select puri || id || payment || nano from tracks where flake = -1")
                    .mapTo(String.class)
                    .one());
    assertThat(stored).isEqualTo("shop:tracks:a" + ID.toUuid() + "123V1StGXR8_Z5jdHi6B-myT");
  }

  @Test
  void listsAndArraysOfIdentifiersAreBound() {
    List<TrackId> ids = Stream.generate(Ulid::mint).limit(5).map(TrackId::new).toList();
    try (Handle handle = jdbi().open()) {
      ids.forEach(id -> handle.execute("insert into tracks (id) values (?)", id));
      List<TrackId> two = List.of(ids.get(1), ids.get(3));

      assertThat(
              handle
                  .createQuery("select id from tracks where id in (<ids>)")
                  .bindList("ids", two)
                  .mapTo(TrackId.class)
                  .set())
          .containsExactlyInAnyOrderElementsOf(two);
      assertThat(
              handle
                  .createQuery("select id from tracks where id = any(:ids)")
                  .bindArray("ids", TrackId.class, two)
                  .mapTo(TrackId.class)
                  .set())
          .containsExactlyInAnyOrderElementsOf(two);
      assertThat(
              handle
                  .createQuery("select id from tracks where id = any(?)")
                  .bind(0, two.toArray(TrackId[]::new))
                  .mapTo(TrackId.class)
                  .set())
          .containsExactlyInAnyOrderElementsOf(two);
      assertThat(
              handle
                  .createQuery("select id from tracks where id = any(:ids)")
                  .bindArray("ids", TrackId.class, List.of())
                  .mapTo(TrackId.class)
                  .list())
          .isEmpty();
      assertThat(
              handle
                  .createQuery("select array_agg(id) from tracks where id = any(?)")
                  .bind(0, two.toArray(TrackId[]::new))
                  .mapTo(new GenericType<Set<TrackId>>() {})
                  .one())
          .containsExactlyInAnyOrderElementsOf(two);
      assertThat(
              handle
                  .createQuery("select array[payment] from (values (7::bigint)) v (payment)")
                  .mapTo(PaymentId[].class)
                  .one())
          .containsExactly(new PaymentId(7));
    }
  }

  @Test
  void nullsInArraysAndListsAreBound() {
    List<@Nullable Ulid> ids = Arrays.asList(ID, null);
    try (Handle handle = jdbi().open()) {
      assertThat(
              handle
                  .createQuery("select :ids")
                  .bindArray("ids", Ulid.class, ids)
                  .mapTo(new GenericType<List<@Nullable Ulid>>() {})
                  .one())
          .isEqualTo(ids);
      assertThat(
              handle
                  .createQuery("select :ids")
                  .bind("ids", new PaymentId[] {null, new PaymentId(7)})
                  .mapTo(PaymentId[].class)
                  .one())
          .containsExactly(null, new PaymentId(7));
    }
  }

  /** The driver asks for binary results from the fifth execution on. */
  @Test
  void arrayIsReadInBothFormatsOfTheDriver() {
    try (Handle handle = jdbi().open()) {
      for (int i = 0; i < 10; i++) {
        assertThat(
                handle
                    .createQuery("select array[:a, null, :b]::uuid[]")
                    .bind("a", ID)
                    .bind("b", Ulid.of(0, 1))
                    .mapTo(new GenericType<List<@Nullable Ulid>>() {})
                    .one())
            .isEqualTo(Arrays.asList(ID, null, Ulid.of(0, 1)));
      }
    }
  }

  @Test
  void keysetIsReadInPages() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute("create table payments (id bigint primary key)");
    database.execute("insert into payments select generate_series(1, 10)");
    Jdbi jdbi = Jdbi.create(database.dataSource()).installPlugins();

    List<PaymentId> page =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery("select id from payments where id > ? order by id limit 3")
                    .bind(0, new PaymentId(4))
                    .mapTo(PaymentId.class)
                    .list());

    assertThat(page).isEqualTo(LongStream.of(5, 6, 7).mapToObj(PaymentId::new).toList());
  }

  @Test
  void nullIsBoundAndRead() {
    try (Handle handle = jdbi().open()) {
      assertThat(
              handle
                  .createQuery("select pg_typeof(:id)::text || coalesce(:id::text, '')")
                  .bindByType("id", null, Ulid.class)
                  .mapTo(String.class)
                  .one())
          .isEqualTo("uuid");
      assertThat(
              handle
                  .createQuery("select :id::bigint")
                  .bindByType("id", Optional.empty(), new GenericType<Optional<PaymentId>>() {})
                  .mapTo(new GenericType<Optional<PaymentId>>() {})
                  .one())
          .isEmpty();
      assertThat(handle.select("select null::uuid").mapTo(Ulid.class).findOne()).isEmpty();
    }
  }

  @Test
  void givenTypesAreUsedWhicheverPluginIsInstalledFirst() {
    MintmarkPlugin plugin =
        new MintmarkPlugin(
            List.of(
                IdType.typeIds("user"),
                IdType.sequences(new SequenceId.Format("PM", 6)),
                IdType.ulids().asText()));
    for (Jdbi jdbi :
        List.of(
            Jdbi.create(DATABASE.dataSource()).installPlugins().installPlugin(plugin),
            Jdbi.create(DATABASE.dataSource()).installPlugin(plugin).installPlugins())) {
      try (Handle handle = jdbi.open()) {
        TypeId user = TypeId.parse("user_01h455vb4pex5vsknk084sn02q");
        assertThat(
                handle
                    .select("select ? where pg_typeof(?) = 'uuid'::regtype", user, user)
                    .mapTo(TypeId.class)
                    .one())
            .isEqualTo(user);
        assertThat(handle.select("select 123::bigint").mapTo(SequenceId.class).one())
            .hasToString("PM000123");
        assertThat(handle.select("select ?", ID).mapTo(String.class).one())
            .isEqualTo(ID.toString());
        assertThat(handle.select("select ?::text", ID).mapTo(Ulid.class).one()).isEqualTo(ID);
        assertThat(handle.select("select ?", new TrackId(ID)).mapTo(TrackId.class).one())
            .isEqualTo(new TrackId(ID));
        assertThatThrownBy(
                () -> handle.select("select ?", TypeId.of("track", user.uuid())).mapToMap().one())
            .isInstanceOf(MalformedIdException.class);
      }
    }
  }

  @Test
  void columnOfAnotherTypeIsNamed() {
    try (Handle handle = jdbi().open()) {
      assertThatThrownBy(() -> handle.select("select 'x' as id").mapTo(Ulid.class).one())
          .isInstanceOf(ResultSetException.class)
          .hasRootCauseMessage("column \"id\": expected uuid of a ULID, found text \"x\"");
    }
  }

  @Test
  void classesOfTheJdkAreLeftAsTheyAre() {
    try (Handle handle = jdbi().open()) {
      UUID uuid = UUID.fromString("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
      assertThat(handle.select("select ?", uuid).mapTo(UUID.class).one()).isEqualTo(uuid);
      assertThat(handle.select("select ?", 7L).mapTo(Long.class).one()).isEqualTo(7L);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MintmarkPlugin(List.of(IdType.uuidsV7())))
        .withMessage(
            "type UUID in uuid has the class java.util.UUID of the JDK: map it to a class of your"
                + " own");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MintmarkPlugin(List.of(IdType.typeIds("a"), IdType.typeIds("b"))))
        .withMessageStartingWith("two types of dev.mintmark.TypeId");
  }
}
