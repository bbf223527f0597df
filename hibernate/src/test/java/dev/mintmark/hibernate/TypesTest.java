package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.IdType;
import dev.mintmark.MalformedIdException;
import dev.mintmark.NanoId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.MappingException;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.cfg.Configuration;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Identifiers as attributes, parameters, foreign keys and elements. */
@SuppressWarnings({"deprecation", "removal"}) // What both Hibernate 6.6 and 7 have.
@Tag("database")
class TypesTest {
  private static final TestDatabase DATABASE = Shop.createDatabase();
  private static final RecordedStatements STATEMENTS = new RecordedStatements();
  private static final Class<?>[] ENTITIES = {
    Shop.Sample.class, Shop.Track.class, Shop.Play.class, Shop.Plain.class, Document.class
  };
  private static SessionFactory factory;

  @BeforeAll
  static void start() {
    factory = Shop.start(DATABASE, STATEMENTS, ENTITIES);
  }

  @AfterAll
  static void stop() {
    factory.close();
  }

  private static Shop.Sample sample() {
    Shop.Sample sample = new Shop.Sample();
    sample.snowflake = Snowflake.parse("18446744073709551615");
    sample.nano = NanoId.mint();
    sample.puri = Puri.parse("shop:tracks:01FZG96YPZK4SANAG1ZM5T2K9Z");
    sample.payment = new PaymentId(7);
    sample.number = new SequenceId.Format("PM", 6).of(123);
    sample.user = TypeId.parse("user_01h455vb4pex5vsknk084sn02q");
    return sample;
  }

  private static List<Ulid> persistTracks(int count) {
    List<Ulid> ids = new ArrayList<>();
    factory.inTransaction(
        session -> {
          for (int i = 0; i < count; i++) {
            Shop.Track track = new Shop.Track();
            session.persist(track);
            Shop.Play play = new Shop.Play();
            play.track = track;
            session.persist(play);
            ids.add(Objects.requireNonNull(track.id));
          }
        });
    return ids;
  }

  @Test
  void everyTypeComesBackAsItWasStored() {
    Shop.Sample sample = sample();
    Shop.Sample empty = new Shop.Sample();
    factory.inTransaction(
        session -> {
          session.persist(sample);
          session.persist(empty);
        });

    factory.inSession(
        session -> {
          Shop.Sample found = session.find(Shop.Sample.class, Objects.requireNonNull(sample.id));
          assertThat(found)
              .isNotSameAs(sample)
              .usingRecursiveComparison()
              .withEqualsForType(Object::equals, Snowflake.class)
              .isEqualTo(sample);
          assertThat(found.team).isNotNull().asString().startsWith("team_");
          assertThat(session.find(Shop.Sample.class, Objects.requireNonNull(empty.id)).payment)
              .isNull();
        });
    assertThat(DATABASE.rows("select snowflake, number from sample where payment = 7"))
        .containsExactly(List.of("-1", "123"));
  }

  /** Attributes of one JSON column. */
  @Embeddable
  static class Details {
    @Nullable Ulid track;
    @Nullable Snowflake snowflake;
    @Nullable Tsid tsid;
    @Nullable NanoId nano;
    @Nullable PaymentId payment;

    @Prefixed(value = "PM", width = 6)
    @Nullable SequenceId number;

    @Column(name = "user_id")
    @Prefixed("user")
    @Nullable TypeId user;
  }

  /** Has a JSON column. */
  @Entity(name = "Document")
  static class Document {
    @Id @Minted @Nullable Ulid id;

    @JdbcTypeCode(SqlTypes.JSON)
    @Nullable Details details;
  }

  private static Details details() {
    Details details = new Details();
    details.track = Ulid.parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    details.snowflake = Snowflake.parse("18446744073709551615");
    details.tsid = Tsid.of(7);
    details.nano = NanoId.mint();
    details.payment = new PaymentId(7);
    details.number = new SequenceId.Format("PM", 6).of(123);
    details.user = TypeId.parse("user_01h455vb4pex5vsknk084sn02q");
    return details;
  }

  @Test
  void documentsHaveWhatColumnsHold() {
    Document document = new Document();
    Details details = details();
    document.details = details;
    factory.inTransaction(session -> session.persist(document));

    factory.inSession(
        session -> {
          Document found =
              session
                  .createQuery("from Document d where d.details.track = :track", Document.class)
                  .setParameter("track", details.track)
                  .getSingleResult();
          assertThat(found)
              .isNotSameAs(document)
              .usingRecursiveComparison()
              .withEqualsForType(Object::equals, Snowflake.class)
              .withEqualsForType(Object::equals, Tsid.class)
              .isEqualTo(document);
        });
    assertThat(
            DATABASE.rows(
                "select details->>'track', details->'snowflake', details->'tsid', details->'number', details->>'user_id' from document"))
        .containsExactly(
            List.of(
                "ffffffff-ffff-ffff-ffff-ffffffffffff",
                "-1",
                "7",
                "123",
                "01890a5d-ac96-774b-bcce-b302099a8057"));
  }

  @Test
  void columnsAreUuidBigintAndText() {
    assertThat(
            DATABASE.rows(
                "select column_name, data_type from information_schema.columns where table_name = 'sample' order by 1"))
        .containsExactly(
            List.of("id", "uuid"),
            List.of("nano", "text"),
            List.of("number", "bigint"),
            List.of("payment", "bigint"),
            List.of("puri", "text"),
            List.of("snowflake", "bigint"),
            List.of("team", "uuid"),
            List.of("user_id", "uuid"));
  }

  @Test
  void queriesTakeIdentifiersAsParameters() {
    List<Ulid> ids = persistTracks(4);
    Ulid first = ids.get(0);

    factory.inSession(
        session -> {
          assertThat(
                  session
                      .createQuery("select id from Track where id in :ids order by id", Ulid.class)
                      .setParameterList("ids", ids)
                      .list())
              .isSorted()
              .isEqualTo(ids);
          assertThat(
                  session
                      .createQuery("from Track where id > :id and id in :ids", Shop.Track.class)
                      .setParameter("id", first)
                      .setParameterList("ids", ids)
                      .list())
              .hasSize(3);
          var builder = session.getCriteriaBuilder();
          var query = builder.createQuery(Shop.Play.class);
          var play = query.from(Shop.Play.class);
          query.where(builder.equal(play.get("track").get("id"), first));
          assertThat(session.createQuery(query).list()).hasSize(1);
        });
  }

  @Test
  void orderOfUuidsIsUnsigned() {
    List<Ulid> ids =
        List.of(
            Ulid.parse("00000000000000000000000001"),
            Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z"),
            Ulid.parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
    factory.inTransaction(
        session ->
            ids.forEach(
                id -> {
                  Shop.Track track = new Shop.Track();
                  track.id = id;
                  session.persist(track);
                }));

    factory.inSession(
        session ->
            assertThat(
                    session
                        .createQuery(
                            "select id from Track where id in :ids order by id", Ulid.class)
                        .setParameterList("ids", ids)
                        .list())
                .isEqualTo(ids));
  }

  @Test
  void batchFetchSendsOneArray() {
    List<Ulid> ids = persistTracks(10);

    factory.inSession(
        session -> {
          List<Shop.Track> tracks =
              session
                  .createQuery("from Track where id in :ids", Shop.Track.class)
                  .setParameterList("ids", ids)
                  .list();
          STATEMENTS.drain();
          assertThat(tracks).allSatisfy(track -> assertThat(track.plays).hasSize(1));
        });
    assertThat(STATEMENTS.drain()).singleElement().asString().containsPattern("any ?\\(\\?\\)");
  }

  @Test
  void manyEntitiesAreFoundWithOneStatement() {
    List<Ulid> ids = persistTracks(10);

    STATEMENTS.drain();
    factory.inSession(
        session ->
            assertThat(session.byMultipleIds(Shop.Track.class).multiLoad(ids))
                .hasSize(10)
                .doesNotContainNull());
    assertThat(STATEMENTS.drain()).hasSize(1);
  }

  @Test
  void elementsOfCollectionsAreIdentifiers() {
    List<Ulid> ids = persistTracks(3);
    factory.inTransaction(
        session -> session.find(Shop.Track.class, ids.get(0)).related.addAll(ids));

    factory.inSession(
        session ->
            assertThat(session.find(Shop.Track.class, ids.get(0)).related)
                .containsExactlyInAnyOrderElementsOf(ids));
  }

  @Test
  void anotherPrefixIsRefusedAsAParameter() {
    factory.inSession(
        session ->
            assertThatThrownBy(
                    () ->
                        session
                            .createQuery("from Sample s where s.user = :user", Shop.Sample.class)
                            .setParameter("user", TypeId.parse("team_01h455vb4pex5vsknk084sn02q"))
                            .list())
                .isInstanceOf(MalformedIdException.class));
  }

  @Test
  void aMissingPrefixFailsAtStart() {
    assertThatThrownBy(() -> Shop.start(DATABASE, STATEMENTS, Shop.Unprefixed.class).close())
        .hasStackTraceContaining("annotate it with @Prefixed(\"user\")")
        .satisfiesAnyOf(
            e -> assertThat(e).isInstanceOf(MappingException.class),
            e -> assertThat(e).hasCauseInstanceOf(MappingException.class));
  }

  @Test
  void schemaIsValid() {
    Configuration configuration = Shop.configuration(DATABASE, STATEMENTS, ENTITIES);
    configuration.setProperty("hibernate.hbm2ddl.auto", "validate");
    configuration.buildSessionFactory().close();
  }

  @Test
  void uuidsAndTextsOfTheJdkWorkAsWithoutUs() {
    Shop.Plain plain = new Shop.Plain();
    plain.id = UUID.fromString("ffffffff-ffff-4fff-8fff-ffffffffffff");
    plain.name = "chicken";
    plain.number = 17L;
    plain.others = new UUID[] {plain.id};
    factory.inTransaction(session -> session.persist(plain));

    factory.inSession(
        session -> {
          assertThat(session.byMultipleIds(Shop.Plain.class).multiLoad(plain.id))
              .singleElement()
              .usingRecursiveComparison()
              .isEqualTo(plain);
        });
    var types =
        factory
            .unwrap(org.hibernate.engine.spi.SessionFactoryImplementor.class)
            .getTypeConfiguration()
            .getJavaTypeRegistry();
    for (Class<?> type : List.of(UUID.class, Long.class, String.class, UUID[].class)) {
      assertThat(types.getDescriptor(type).getClass().getName()).startsWith("org.hibernate.");
    }
  }

  /** A class that nothing else declares. */
  record GivenId(Ulid value) {}

  /** Has an id of that class. */
  @Entity(name = "Given")
  static class Given {
    @Id @Minted @Nullable GivenId id;
  }

  @Test
  void typesOfTheSettingAreTypesToo() {
    Configuration configuration = Shop.configuration(DATABASE, STATEMENTS, Given.class);
    configuration
        .getProperties()
        .put(
            MintmarkTypes.TYPES_SETTING,
            List.of(IdType.ulids().map(GivenId.class, GivenId::new, GivenId::value)));
    Given given = new Given();

    try (SessionFactory own = configuration.buildSessionFactory()) {
      own.inTransaction(session -> session.persist(given));
      Given found = own.fromTransaction(session -> session.find(Given.class, given.id));

      assertThat(found.id).isEqualTo(given.id);
    }
    assertThat(DATABASE.text("select pg_typeof(id) from Given")).isEqualTo("uuid");
  }

  @Test
  void typesOfTheJdkInTheSettingAreRefused() {
    Configuration configuration = Shop.configuration(DATABASE, STATEMENTS, Given.class);
    configuration.getProperties().put(MintmarkTypes.TYPES_SETTING, List.of(IdType.uuidsV7()));

    assertThatThrownBy(configuration::buildSessionFactory)
        .hasMessageContaining("setting mintmark.types: expected types of classes of your own");
  }
}
