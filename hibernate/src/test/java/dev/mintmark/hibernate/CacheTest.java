package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.IdType;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import jakarta.persistence.Cacheable;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.NaturalId;
import org.hibernate.annotations.NaturalIdCache;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The second-level cache and the cache of queries, which keep serialized copies. */
@SuppressWarnings({"deprecation", "removal"}) // What both Hibernate 6.6 and 7 have.
@Tag("database")
class CacheTest {
  private static final TestDatabase DATABASE = Shop.createDatabase();
  private static final RecordedStatements STATEMENTS = new RecordedStatements();
  private static SessionFactory factory;

  /** A class of an application that is not {@code Serializable}. */
  record GenreId(Ulid value) {}

  /** Is kept in the cache. */
  @Entity(name = "Genre")
  @Cacheable
  @Cache(region = "genres", usage = CacheConcurrencyStrategy.READ_WRITE)
  static class Genre {
    @Id @Minted @Nullable GenreId id;
    @Nullable Puri name;
    @Nullable PaymentId payment;

    @Prefixed(value = "GE", width = 4)
    @Nullable SequenceId number;

    Ulid @Nullable [] songs;
    PaymentId @Nullable [] payments;

    @ElementCollection
    @Cache(region = "alike", usage = CacheConcurrencyStrategy.READ_WRITE)
    Set<GenreId> alike = new HashSet<>();
  }

  /** Is found by a natural id, which is kept with the id. */
  @Entity(name = "Mood")
  @Cacheable
  @NaturalIdCache(region = "mood-names")
  @Cache(region = "moods", usage = CacheConcurrencyStrategy.READ_WRITE)
  static class Mood {
    @Id @Minted @Nullable Ulid id;
    @NaturalId @Nullable Puri name;
  }

  @BeforeAll
  static void start() {
    Configuration configuration = Shop.configuration(DATABASE, STATEMENTS, Genre.class, Mood.class);
    configuration.setProperty("hibernate.cache.use_second_level_cache", "true");
    configuration.setProperty("hibernate.cache.use_query_cache", "true");
    configuration.setProperty("hibernate.cache.region.factory_class", "jcache");
    configuration.setProperty("hibernate.javax.cache.missing_cache_strategy", "create");
    configuration
        .getProperties()
        .put(
            MintmarkTypes.TYPES_SETTING,
            List.of(IdType.ulids().map(GenreId.class, GenreId::new, GenreId::value)));
    factory = configuration.buildSessionFactory();
  }

  @AfterAll
  static void stop() {
    factory.close();
  }

  private static Genre persistGenre(String name) {
    Genre genre = new Genre();
    genre.name = Puri.parse(name);
    genre.payment = new PaymentId(3);
    genre.number = new SequenceId.Format("GE", 4).of(12);
    genre.songs = new Ulid[] {Ulid.mint()};
    genre.payments = new PaymentId[] {new PaymentId(4)};
    genre.alike.add(new GenreId(Ulid.mint()));
    factory.inTransaction(session -> session.persist(genre));
    return genre;
  }

  private static Genre find(Session session, Genre genre) {
    Genre found = session.find(Genre.class, Objects.requireNonNull(genre.id));
    assertThat(found.alike).isEqualTo(genre.alike);
    return found;
  }

  @Test
  void theSecondFindSendsNoStatement() {
    Genre genre = persistGenre("shop:genres:jazz");
    factory.inSession(session -> find(session, genre));
    STATEMENTS.drain();

    Genre found = factory.fromSession(session -> find(session, genre));

    assertThat(STATEMENTS.drain()).isEmpty();
    assertThat(found).isNotSameAs(genre).usingRecursiveComparison().isEqualTo(genre);
  }

  @Test
  void theSecondQuerySendsNoStatement() {
    Genre genre = persistGenre("shop:genres:rock");
    for (int i = 0; i < 2; i++) {
      STATEMENTS.drain();
      List<Puri> names =
          factory.fromSession(
              session ->
                  session
                      .createQuery(
                          "select name from Genre where id = :id and name = :name", Puri.class)
                      .setParameter("id", genre.id)
                      .setParameter("name", genre.name)
                      .setCacheable(true)
                      .list());
      assertThat(names).containsExactly(genre.name);
      assertThat(STATEMENTS.drain()).hasSize(1 - i);
    }
  }

  @Test
  void theSecondFindByANaturalIdSendsNoStatement() {
    Mood mood = new Mood();
    mood.name = Puri.parse("shop:moods:blues");
    factory.inTransaction(session -> session.persist(mood));
    STATEMENTS.drain();

    Mood found =
        factory.fromSession(session -> session.bySimpleNaturalId(Mood.class).load(mood.name));

    assertThat(STATEMENTS.drain()).isEmpty();
    assertThat(found.id).isEqualTo(mood.id);
  }
}
