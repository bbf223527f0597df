package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.NanoId;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.hibernate.Hibernate;
import org.hibernate.HibernateException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Composite ids, inheritance, arrays, detached entities, proxies and stateless sessions. */
@Tag("database")
class MappingsTest {
  private static final TestDatabase DATABASE = Shop.createDatabase();
  private static final RecordedStatements STATEMENTS = new RecordedStatements();
  private static SessionFactory factory;

  @BeforeAll
  static void start() {
    factory = Shop.start(DATABASE, STATEMENTS, Label.ENTITIES);
  }

  @AfterAll
  static void stop() {
    factory.close();
  }

  private static Label.Artist persistArtist(String name) {
    Label.Artist artist = new Label.Artist();
    artist.name = name;
    factory.inTransaction(session -> session.persist(artist));
    return artist;
  }

  private static <T> T find(Class<T> entity, Object id) {
    return factory.fromSession(session -> session.find(entity, id));
  }

  @Test
  void embeddedIdsHaveAttributesOfOurTypes() {
    Label.Contract contract = new Label.Contract();
    contract.id = new Label.ContractId(Ulid.mint(), new PaymentId(7));
    contract.text = "records two albums";
    factory.inTransaction(session -> session.persist(contract));

    assertThat(find(Label.Contract.class, contract.id).text).isEqualTo(contract.text);
    assertThat(
            factory.<String>fromSession(
                session ->
                    session
                        .createQuery(
                            "select text from Contract c where c.id.payment = :payment and c.id.artist <= :artist",
                            String.class)
                        .setParameter("payment", new PaymentId(7))
                        .setParameter("artist", Objects.requireNonNull(contract.id).artist())
                        .getSingleResult()))
        .isEqualTo(contract.text);
  }

  @Test
  void attributesOfAnEmbeddedIdAreMinted() {
    Label.Tour tour = new Label.Tour();
    tour.id.deposit = new PaymentId(9);
    tour.text = "Europe";
    Label.Tour next = new Label.Tour();
    next.id.deposit = new PaymentId(9);
    factory.inTransaction(session -> Stream.of(tour, next).forEach(session::persist));

    assertThat(next.id.tour).isGreaterThan(tour.id.tour);
    assertThat(next.id.number)
        .isEqualTo(
            new SequenceId.Format("SE", 4).of(Objects.requireNonNull(tour.id.number).number() + 1));
    assertThat(tour.id.crew).isNotNull().asString().startsWith("crew_");
    assertThat(tour.id.contract).isNotNull();
    assertThat(find(Label.Tour.class, tour.id).text).isEqualTo("Europe");
  }

  @Test
  void anAttributeOfAnIdClassIsMinted() {
    List<Label.Share> shares = new ArrayList<>();
    factory.inTransaction(
        session -> {
          for (int percent : new int[] {40, 60}) {
            Label.Share share = new Label.Share();
            share.payment = new PaymentId(9);
            share.percent = percent;
            session.persist(share);
            shares.add(share);
          }
        });

    Label.Share second = shares.get(1);
    assertThat(second.part).isNotNull().isGreaterThan(shares.get(0).part);
    assertThat(
            find(
                    Label.Share.class,
                    new Label.ShareId(new PaymentId(9), Objects.requireNonNull(second.part)))
                .percent)
        .isEqualTo(60);
  }

  @Test
  void anEntityHasTheIdOfAnother() {
    Label.Artist artist = persistArtist("Gene");
    Label.Biography biography = new Label.Biography();
    factory.inTransaction(
        session -> {
          biography.artist = session.getReference(Label.Artist.class, artist.id);
          session.persist(biography);
        });

    assertThat(biography.id).isEqualTo(artist.id);
    assertThat(find(Label.Biography.class, Objects.requireNonNull(artist.id))).isNotNull();
  }

  @Test
  void classesOfOneTableHaveIdsOfTheServer() {
    Label.Album album = new Label.Album();
    Label.Single single = new Label.Single();
    single.appearsOn = album;
    STATEMENTS.drain();
    factory.inTransaction(
        session -> {
          session.persist(album);
          session.persist(single);
        });

    assertThat(STATEMENTS.drain()).filteredOn(sql -> sql.contains("ulids")).hasSize(1);
    assertThat(single.id).isGreaterThan(album.id);
    factory.inSession(
        session -> {
          assertThat(session.find(Label.Medium.class, album.id)).isInstanceOf(Label.Album.class);
          Label.Single found = session.find(Label.Single.class, single.id);
          assertThat(Hibernate.unproxy(found.appearsOn)).isInstanceOf(Label.Album.class);
        });
  }

  @Test
  void classesOfJoinedTablesAndOfTablesOfTheirOwnShareASequence() {
    Label.Person person = new Label.Person();
    Label.Company company = new Label.Company();
    Label.Invoice invoice = new Label.Invoice();
    Label.Reminder reminder = new Label.Reminder();
    factory.inTransaction(
        session -> Stream.of(person, company, invoice, reminder).forEach(session::persist));

    long number = Objects.requireNonNull(person.id).number();
    assertThat(company.id).isEqualTo(new SequenceId.Format("CU", 6).of(number + 1));
    assertThat(find(Label.Party.class, Objects.requireNonNull(company.id)))
        .isInstanceOf(Label.Company.class);
    assertThat(reminder.id).isNotEqualTo(invoice.id);
    assertThat(find(Label.Invoice.class, Objects.requireNonNull(reminder.id)))
        .isInstanceOf(Label.Reminder.class);
  }

  @Test
  void arraysAreArraysOfTheDatabase() {
    Label.Chart chart = new Label.Chart();
    chart.songs = new Ulid[] {Ulid.mint(), Ulid.parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ")};
    chart.payments = new PaymentId[] {new PaymentId(3), new PaymentId(Long.MAX_VALUE)};
    chart.posts = new Snowflake[] {Snowflake.parse("18446744073709551615")};
    chart.links = new NanoId[] {NanoId.mint()};
    chart.artists = List.of(Ulid.mint(), Ulid.mint());
    Label.Chart empty = new Label.Chart();
    empty.songs = new Ulid[0];
    factory.inTransaction(
        session -> {
          session.persist(chart);
          session.persist(empty);
        });

    Label.Chart found = find(Label.Chart.class, Objects.requireNonNull(chart.id));
    assertThat(found.songs).isEqualTo(chart.songs);
    assertThat(found.payments).isEqualTo(chart.payments);
    assertThat(found.posts).isEqualTo(chart.posts);
    assertThat(found.links).isEqualTo(chart.links);
    assertThat(found.artists).isEqualTo(chart.artists);
    assertThat(find(Label.Chart.class, Objects.requireNonNull(empty.id)).songs).isEmpty();
    assertThat(find(Label.Chart.class, Objects.requireNonNull(empty.id)).payments).isNull();
    assertThat(
            DATABASE.rows(
                "select column_name, udt_name from information_schema.columns where table_name = 'chart' and data_type = 'ARRAY' order by 1"))
        .containsExactly(
            List.of("artists", "_uuid"),
            List.of("links", "_text"),
            List.of("payments", "_int8"),
            List.of("posts", "_int8"),
            List.of("songs", "_uuid"));
    assertThat(
            factory.<Ulid>fromSession(
                session ->
                    session
                        .createQuery(
                            "select id from Chart where array_contains(songs, :song)", Ulid.class)
                        .setParameter("song", Objects.requireNonNull(chart.songs)[1])
                        .getSingleResult()))
        .isEqualTo(chart.id);
  }

  @Test
  void aDetachedEntityIsMerged() {
    Label.Artist artist = persistArtist("Tina");
    artist.name = "Tina Ruth";
    STATEMENTS.drain();
    Label.Artist merged = factory.fromTransaction(session -> session.merge(artist));

    assertThat(merged).isNotSameAs(artist).isEqualTo(artist);
    assertThat(STATEMENTS.drain())
        .hasSize(2)
        .element(1)
        .asString()
        .startsWith("update Artist set name=?");

    Label.Artist preset = new Label.Artist();
    preset.id = Ulid.mint();
    Label.Artist stored = factory.fromTransaction(session -> session.merge(preset));
    assertThat(stored.id).isEqualTo(preset.id);
    assertThat(STATEMENTS.drain()).singleElement().asString().startsWith("insert into Artist");
  }

  @Test
  void aProxyEqualsItsEntity() {
    Label.Artist artist = persistArtist("Louise");
    Label.Artist other = persistArtist("Linda");
    STATEMENTS.drain();

    factory.inSession(
        session -> {
          Label.Artist proxy = session.getReference(Label.Artist.class, artist.id);
          assertThat(proxy.getId()).isEqualTo(artist.id);
          assertThat(STATEMENTS.drain()).isEmpty();
          assertThat(proxy).isEqualTo(artist).hasSameHashCodeAs(artist).isNotEqualTo(other);
          assertThat(artist).isEqualTo(proxy);
          assertThat(new Label.Artist()).isNotEqualTo(new Label.Artist());
        });
  }

  @Test
  void aStatelessSessionMintsToo() {
    Label.Artist artist = new Label.Artist();
    Label.Album album = new Label.Album();
    Label.Person person = new Label.Person();
    Label.Artist preset = new Label.Artist();
    Ulid id = Ulid.mint();
    preset.id = id;
    factory.inStatelessTransaction(
        session -> Stream.of(artist, album, person, preset).forEach(session::insert));

    assertThat(find(Label.Artist.class, Objects.requireNonNull(artist.id))).isNotNull();
    assertThat(find(Label.Album.class, Objects.requireNonNull(album.id))).isNotNull();
    assertThat(find(Label.Person.class, Objects.requireNonNull(person.id))).isNotNull();
    assertThat(find(Label.Artist.class, id)).isNotNull();
    factory.inStatelessSession(
        session ->
            assertThatThrownBy(() -> session.insert(new Label.Album()))
                .isInstanceOf(HibernateException.class)
                .hasMessageContaining("outside a transaction"));
  }

  @Test
  void manyInsertsOfAStatelessSessionAreBatched() {
    assumeTrue(
        Stream.of(StatelessSession.class.getMethods())
            .anyMatch(method -> method.getName().equals("insertMultiple")),
        "Hibernate 6.6 has no insertMultiple");
    List<Label.Album> albums = Stream.generate(Label.Album::new).limit(120).toList();
    STATEMENTS.drain();
    factory.inStatelessTransaction(session -> session.insertMultiple(albums));

    List<String> sent = STATEMENTS.drain();
    assertThat(sent).filteredOn(sql -> sql.contains("ulids")).hasSize(3);
    // One batch, whatever the size of batches is.
    assertThat(sent).filteredOn(sql -> sql.startsWith("insert into Medium")).hasSize(1);
    assertThat(sent).hasSize(4);
  }

  /** Is of one tenant. */
  @Entity(name = "Booking")
  static class Booking {
    @Id @Minted @Nullable Ulid id;
    @TenantId @Nullable Ulid tenant;
  }

  @Test
  void tenantsAreIdentifiers() {
    Ulid tenant = Ulid.mint();
    Booking booking = new Booking();
    try (SessionFactory own = Shop.start(DATABASE, STATEMENTS, Booking.class)) {
      try (Session session = own.withOptions().tenantIdentifier((Object) tenant).openSession()) {
        session.getTransaction().begin();
        session.persist(booking);
        session.getTransaction().commit();
        session.clear();

        assertThat(session.createQuery("select tenant from Booking", Ulid.class).list())
            .containsExactly(tenant);
      }
      try (Session other = own.withOptions().tenantIdentifier((Object) Ulid.mint()).openSession()) {
        assertThat(other.createQuery("from Booking", Booking.class).list()).isEmpty();
      }
    }
  }

  /** In a schema of its own. */
  @Entity(name = "Ticket")
  @Table(name = "ticket", schema = "\"box office\"")
  static class Ticket {
    @Id
    @SequenceKey(sequence = "ticket_seq")
    @Nullable PaymentId id;
  }

  @Test
  void aSequenceIsInTheSchemaOfItsTable() {
    DATABASE.execute("create schema \"box office\"");
    for (String ddl : List.of("update", "validate")) {
      Configuration configuration = Shop.configuration(DATABASE, STATEMENTS, Ticket.class);
      configuration.setProperty("hibernate.hbm2ddl.auto", ddl);
      try (SessionFactory own = configuration.buildSessionFactory()) {
        own.inTransaction(session -> session.persist(new Ticket()));
      }
    }

    assertThat(
            DATABASE.rows(
                "select sequence_schema from information_schema.sequences where sequence_name = 'ticket_seq'"))
        .containsExactly(List.of("box office"));
  }

  @Test
  void theSchemaIsValidAndASecondUpdateChangesNothing() {
    Configuration validate = Shop.configuration(DATABASE, STATEMENTS, Label.ENTITIES);
    validate.setProperty("hibernate.hbm2ddl.auto", "validate");
    validate.buildSessionFactory().close();

    STATEMENTS.drain();
    Shop.start(DATABASE, STATEMENTS, Label.ENTITIES).close();
    assertThat(STATEMENTS.drain())
        .as("statements of the second update")
        .isNotEmpty()
        .noneMatch(sql -> sql.matches("(?is)\\s*(create|alter|drop)\\b.*"));
  }
}
