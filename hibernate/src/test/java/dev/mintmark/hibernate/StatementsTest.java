package dev.mintmark.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Ulid;
import dev.mintmark.fixtures.BreakableDataSource;
import dev.mintmark.fixtures.TestDatabase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.transaction.Synchronization;
import java.util.List;
import java.util.function.Supplier;
import org.hibernate.HibernateException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.dialect.PostgreSQLDialect;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The statements that generators send, counted at the driver. */
@Tag("database")
class StatementsTest {
  private static final TestDatabase DATABASE = Shop.createDatabase();
  private static final RecordedStatements STATEMENTS = new RecordedStatements();
  private static SessionFactory factory;

  @BeforeAll
  static void start() {
    factory =
        Shop.start(
            DATABASE,
            STATEMENTS,
            Shop.Track.class,
            Shop.Play.class,
            Shop.Incident.class,
            Shop.Payment.class,
            Shop.Device.class,
            Shop.Invoice.class);
  }

  @AfterAll
  static void stop() {
    factory.close();
  }

  /** What is sent to persist some entities in one transaction. */
  private static List<String> persist(int count, Supplier<? extends Shop.Titled> entity) {
    STATEMENTS.drain();
    factory.inTransaction(
        session -> {
          for (int i = 0; i < count; i++) {
            Shop.Titled each = entity.get();
            each.setTitle("title " + i);
            session.persist(each);
          }
        });
    return STATEMENTS.drain();
  }

  @Test
  void mintedInJavaSendsTheBatchesAlone() {
    assertThat(persist(120, Shop.Track::new))
        .hasSize(3)
        .allMatch(sql -> sql.startsWith("insert into Track"));
    assertThat(persist(120, Shop.Device::new))
        .hasSize(3)
        .allMatch(sql -> sql.startsWith("insert into Device"));
  }

  @Test
  void mintedByTheServerSendsOneMoreForEachBlock() {
    List<String> sent = persist(120, Shop.Incident::new);

    assertThat(sent).filteredOn(sql -> sql.startsWith("insert into Incident")).hasSize(3);
    assertThat(sent).filteredOn(sql -> sql.equals("select \"mintmark\".ulids(?)")).hasSize(3);
    assertThat(sent).hasSize(6);
  }

  @Test
  void whatIsLeftOverIsDroppedWithTheTransaction() {
    try (Session session = factory.openSession()) {
      for (int i = 0; i < 2; i++) {
        STATEMENTS.drain();
        session.getTransaction().begin();
        session.persist(new Shop.Incident());
        session.getTransaction().commit();
        assertThat(STATEMENTS.drain()).hasSize(2).first().asString().contains("ulids");
      }
      session.getTransaction().begin();
      session.persist(new Shop.Incident());
      session.getTransaction().rollback();
      session.getTransaction().begin();
      STATEMENTS.drain();
      session.persist(new Shop.Incident());
      assertThat(STATEMENTS.drain()).hasSize(1).first().asString().contains("ulids");
      session.getTransaction().rollback();
    }
  }

  @Test
  void theServerMintsBeforeTheCommitToo() {
    STATEMENTS.drain();
    factory.inTransaction(
        session -> {
          for (int i = 0; i < 2; i++) {
            session
                .getTransaction()
                .registerSynchronization(
                    new Synchronization() {
                      @Override
                      public void beforeCompletion() {
                        session.persist(new Shop.Incident());
                        session.flush();
                      }

                      @Override
                      public void afterCompletion(int status) {}
                    });
          }
        });

    assertThat(STATEMENTS.drain()).filteredOn(sql -> sql.contains("ulids")).hasSize(1);
  }

  @Test
  void serverMintsOutsideATransactionAreRefused() {
    try (Session session = factory.openSession()) {
      assertThatThrownBy(() -> session.persist(new Shop.Incident()))
          .isInstanceOf(HibernateException.class)
          .hasMessageContaining("persist outside a transaction");
    }
  }

  @Test
  void sequenceKeysSendOneMoreForEachAllocation() {
    persist(50, Shop.Payment::new);
    List<String> sent = persist(100, Shop.Payment::new);

    assertThat(sent).filteredOn(sql -> sql.startsWith("insert into Payment")).hasSize(2);
    assertThat(sent).filteredOn(sql -> sql.contains("nextval('payment_seq')")).hasSize(2);
    assertThat(sent).hasSize(4);
    assertThat(DATABASE.number("select count(distinct id) from payment")).isEqualTo(150);
  }

  @Test
  void mintedByTheDefaultSendsOneForEachRow() {
    Shop.Invoice invoice = new Shop.Invoice();

    assertThat(persist(3, Shop.Invoice::new))
        .hasSize(3)
        .allMatch(sql -> sql.startsWith("insert into Invoice"));
    assertThat(persist(1, () -> invoice)).hasSize(1);
    assertThat(invoice.id).isNotNull();
  }

  @Test
  void aMissingDefaultFailsAtStart() {
    TestDatabase other = Shop.createDatabase();
    other.execute("create table invoice (id uuid primary key, title text)");

    assertThatThrownBy(() -> Shop.start(other, STATEMENTS, Shop.Invoice.class).close())
        .hasStackTraceContaining("@MintedByDatabase: column id of Invoice has no default");
  }

  /** Starts an application whose tables exist. */
  private static void start(TestDatabase database, Class<?> entity) {
    start(database, entity, "public");
  }

  private static void start(TestDatabase database, Class<?> entity, String schema) {
    Configuration configuration = Shop.configuration(database, STATEMENTS, entity);
    configuration.setProperty("hibernate.hbm2ddl.auto", "none");
    configuration.setProperty("hibernate.default_schema", schema);
    configuration.buildSessionFactory().close();
  }

  @Test
  void aDatabaseThatCannotBeReadDoesNotPreventTheStart() {
    BreakableDataSource broken = new BreakableDataSource(DATABASE.dataSource());
    broken.cut();
    Configuration configuration = withoutTables(Shop.Invoice.class);
    configuration.getProperties().put("hibernate.connection.datasource", broken.dataSource());

    configuration.buildSessionFactory().close();
  }

  /** Its column has no default, which is not known. */
  @Test
  void theDatabaseIsNotReadAtStartIfHibernateMayNot() {
    TestDatabase other = Shop.createDatabase();
    other.execute("create table invoice (id uuid primary key, title text)");
    Configuration configuration = withoutTables(Shop.Invoice.class);
    configuration
        .getProperties()
        .put("hibernate.connection.datasource", STATEMENTS.around(other.dataSource()));
    configuration.setProperty("hibernate.boot.allow_jdbc_metadata_access", "false");
    STATEMENTS.drain();

    configuration.buildSessionFactory().close();

    assertThat(STATEMENTS.drain()).isEmpty();
  }

  private static Configuration withoutTables(Class<?> entity) {
    Configuration configuration = Shop.configuration(DATABASE, STATEMENTS, entity);
    configuration.setProperty("hibernate.hbm2ddl.auto", "none");
    configuration.setProperty("hibernate.dialect", PostgreSQLDialect.class.getName());
    return configuration;
  }

  @Test
  void theDefaultIsThatOfTheTableInTheDefaultSchema() {
    TestDatabase other = Shop.createDatabase();
    other.execute(
        """
        create schema shop;
        create table invoice (id uuid primary key);
        create table shop.invoice (id uuid primary key default mintmark.ulid());
        """);

    start(other, Shop.Invoice.class, "shop");
    assertThatThrownBy(() -> start(other, Shop.Invoice.class, "public"))
        .hasStackTraceContaining("@MintedByDatabase: column id of public.Invoice has no default");
  }

  /** Has names that must be quoted. */
  @Entity(name = "Order")
  @Table(name = "\"My orders\"", schema = "\"My shop\"")
  static class Order {
    @Id
    @MintedByDatabase
    @Column(name = "\"My id\"")
    @Nullable Ulid id;
  }

  @Test
  void theDefaultOfAQuotedColumnIsLookedUp() {
    TestDatabase other = Shop.createDatabase();
    other.execute(
        """
        create schema "My shop";
        create table "My shop"."My orders" ("My id" uuid primary key);
        """);

    assertThatThrownBy(() -> start(other, Order.class))
        .hasStackTraceContaining(
            """
            alter table "My shop"."My orders" alter column "My id" set default mintmark.ulid()\
            """);
    other.execute(
        """
        alter table "My shop"."My orders" alter column "My id" set default mintmark.ulid()
        """);
    start(other, Order.class);
  }

  @Test
  void theDefaultOfADomainCountsAndAViewIsNotAsked() {
    TestDatabase other = Shop.createDatabase();
    other.execute(
        """
        create domain invoice_id as uuid default mintmark.ulid();
        create table invoice (id invoice_id primary key);
        """);
    start(other, Shop.Invoice.class);

    other.execute(
        """
        alter table invoice rename to invoices;
        create view invoice as select * from invoices;
        """);
    start(other, Shop.Invoice.class);
  }

  @Test
  void idsThatAreSetAreKept() {
    Ulid id = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z");
    Shop.Track track = new Shop.Track();
    track.id = id;
    Shop.Incident incident = new Shop.Incident();
    incident.id = id;
    Shop.Payment payment = new Shop.Payment();
    payment.id = new PaymentId(900_000);

    STATEMENTS.drain();
    factory.inTransaction(
        session -> {
          session.persist(track);
          session.persist(incident);
          session.persist(payment);
        });

    assertThat(STATEMENTS.drain()).hasSize(3).allMatch(sql -> sql.startsWith("insert"));
    factory.inSession(
        session -> {
          assertThat(session.find(Shop.Track.class, id)).isNotNull();
          assertThat(session.find(Shop.Incident.class, id)).isNotNull();
          assertThat(session.find(Shop.Payment.class, new PaymentId(900_000))).isNotNull();
        });
  }
}
