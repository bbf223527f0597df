package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import jakarta.persistence.AttributeOverride;
import jakarta.persistence.Column;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** References to rows of any collection. */
@SuppressWarnings({"deprecation", "removal"}) // What both Hibernate 6.6 and 7 have.
@Tag("database")
class ReferencesTest {
  private static final TestDatabase DATABASE = Shop.createDatabase();
  private static final Puris PURIS =
      Puris.of(
          new Catalog(
              "shop",
              List.of(
                  CollectionSpec.builder("tracks", Kind.ULID).aliases(List.of("songs")).build(),
                  CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").width(6).build(),
                  CollectionSpec.builder("cuts", Kind.TEXT).build()),
              List.of()));
  private static final Puri TRACK = Puri.parse("shop:tracks:01FZG96YPZK4SANAG1ZM5T2K9Z");
  private static final Puri PAYMENT = Puri.parse("shop:payments:PM000123");
  private static final UuidReference NEWER =
      new UuidReference("shop:playlists", UUID.fromString("017fe093-7adf-9932-aaaa-01fd0ba14d3f"));

  private static SessionFactory factory;

  /** An event about a row of any collection. */
  @Entity(name = "Activity")
  static class Activity {
    @Id @Minted @Nullable Ulid id;
    @Nullable String title;
    @Embedded @Nullable UuidReference subject;

    @Embedded
    @AttributeOverride(
        name = "refType",
        column = @Column(name = "paid_type", columnDefinition = "text"))
    @AttributeOverride(name = "refId", column = @Column(name = "paid_id"))
    @Nullable NumberReference paid;
  }

  @BeforeAll
  static void start() {
    factory = Shop.start(DATABASE, new RecordedStatements(), Activity.class);
  }

  @AfterAll
  static void stop() {
    factory.close();
  }

  @BeforeEach
  void empty() {
    factory.inTransaction(
        session -> session.createMutationQuery("delete from Activity").executeUpdate());
  }

  private static Activity persisted(
      @Nullable UuidReference subject, @Nullable NumberReference paid) {
    Activity activity = new Activity();
    activity.subject = subject;
    activity.paid = paid;
    factory.inTransaction(session -> session.persist(activity));
    return activity;
  }

  @Test
  void referenceIsTwoColumnsAndComesBack() {
    Activity activity =
        persisted(UuidReference.of(PURIS, TRACK), NumberReference.of(PURIS, PAYMENT));

    assertThat(DATABASE.rows("select ref_type, ref_id, paid_type, paid_id from activity"))
        .containsExactly(
            List.of("shop:tracks", "017fe093-7adf-9932-aaaa-01fd0ba14d3f", "shop:payments", "123"));
    assertThat(
            DATABASE.rows(
                "select column_name, data_type from information_schema.columns"
                    + " where table_name = 'activity' and column_name ~ '_' order by 1"))
        .containsExactly(
            List.of("paid_id", "bigint"),
            List.of("paid_type", "text"),
            List.of("ref_id", "uuid"),
            List.of("ref_type", "text"));
    Activity found =
        factory.fromSession(
            session -> session.find(Activity.class, Objects.requireNonNull(activity.id)));
    assertThat(found.subject).isEqualTo(activity.subject);
    assertThat(Objects.requireNonNull(found.subject).puri(PURIS)).contains(TRACK);
    assertThat(Objects.requireNonNull(found.paid).puri(PURIS)).contains(PAYMENT);
  }

  @Test
  void absentReferenceIsNull() {
    Activity activity = persisted(null, null);

    Activity found =
        factory.fromSession(
            session -> session.find(Activity.class, Objects.requireNonNull(activity.id)));

    assertThat(found.subject).isNull();
    assertThat(found.paid).isNull();
  }

  /** A newer program has written it. */
  @Test
  void unknownTypeIsKept() {
    Activity activity = persisted(NEWER, null);

    factory.inTransaction(
        session -> {
          Activity found = session.find(Activity.class, Objects.requireNonNull(activity.id));
          assertThat(Objects.requireNonNull(found.subject).puri(PURIS)).isEmpty();
          found.title = "changed";
        });

    assertThat(DATABASE.rows("select title, ref_type, ref_id from activity"))
        .containsExactly(
            List.of("changed", "shop:playlists", "017fe093-7adf-9932-aaaa-01fd0ba14d3f"));
  }

  @Test
  void queriesCompareTheReferenceOrItsType() {
    UuidReference track = UuidReference.of(PURIS, TRACK);
    persisted(track, null);
    persisted(NEWER, null);

    assertThat(count("where a.subject = ?1", track)).isEqualTo(1);
    assertThat(count("where a.subject in ?1", List.of(track, NEWER))).isEqualTo(2);
    assertThat(count("where a.subject.refType = ?1", "shop:tracks")).isEqualTo(1);
    assertThat(count("where a.subject.refId = ?1", NEWER.refId())).isEqualTo(2);
  }

  private static long count(String condition, Object parameter) {
    return factory.fromSession(
        session ->
            session
                .createQuery("select count(*) from Activity a " + condition, Long.class)
                .setParameter(1, parameter)
                .getSingleResult());
  }

  @Test
  void schemaIsValid() {
    Configuration validating =
        Shop.configuration(DATABASE, new RecordedStatements(), Activity.class);
    validating.setProperty("hibernate.hbm2ddl.auto", "validate");

    validating.buildSessionFactory().close();
  }

  @Test
  void typeIsThePresentNameAndFormerNamesAreRead() {
    Puri song = Puri.parse("Shop:Songs:01FZG96YPZK4SANAG1ZM5T2K9Z");

    assertThat(UuidReference.of(PURIS, song)).isEqualTo(UuidReference.of(PURIS, TRACK));
    assertThat(new UuidReference("shop:songs", NEWER.refId()).puri(PURIS)).contains(TRACK);
    assertThat(new NumberReference("nonsense", 1).puri(PURIS)).isEmpty();
  }

  @Test
  void puriOfAnotherStorageIsRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UuidReference.of(PURIS, PAYMENT))
        .withMessage(
            "pURI shop:payments:PM000123: its collection is stored as bigint: expected uuid");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NumberReference.of(PURIS, Puri.parse("shop:playlists:7")))
        .withMessageContaining("its collection is not in the catalog");
    assertThatThrownBy(() -> NumberReference.of(PURIS, Puri.parse("shop:payments:x")))
        .isInstanceOf(MalformedIdException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new UuidReference("shop:payments", NEWER.refId()).puri(PURIS))
        .withMessageContaining("is stored as bigint: found");
  }

  /** The constraint of docs/hibernate.md. */
  @Test
  void constraintOfThePageAcceptsReferencesAndRejectsHalfOnes() throws Exception {
    try (var connection = DATABASE.dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          "alter table activity add constraint whole check"
              + " (num_nulls(ref_type, ref_id) in (0, 2) and ref_type ~ '^[^:]+:[^:]+$')");
    }

    persisted(NEWER, null);
    persisted(null, null);
    assertThatThrownBy(() -> persisted(new UuidReference("tracks", NEWER.refId()), null))
        .hasStackTraceContaining("whole");
  }
}
