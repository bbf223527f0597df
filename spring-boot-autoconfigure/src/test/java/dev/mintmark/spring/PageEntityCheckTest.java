package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Keyring;
import dev.mintmark.Ulid;
import dev.mintmark.entities.Paged;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.PageOrder;
import dev.mintmark.postgres.page.PageRequest;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Pages that are beans, over tables of entities. */
@Tag("hibernate")
@Tag("database")
class PageEntityCheckTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final Keyring KEYRING =
      Keyring.parse("a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=");

  @Configuration(proxyBeanMethods = false)
  @EntityScan(basePackageClasses = Paged.class)
  static class Application {}

  @BeforeAll
  static void createTables() throws SQLException {
    Pack.inSchema(Pack.SCHEMA).install(DATABASE.dataSource());
    for (String table :
        List.of(
            "in_java", "by_server", "by_database", "of_hibernate", "\"Initialized\"", "assigned")) {
      DATABASE.execute(
          "create table %s (id uuid primary key default mintmark.ulid(), title text, xid xid8 not null default pg_current_xact_id())"
              .formatted(table));
    }
    DATABASE.execute(
        "create table other_id (id uuid primary key, place uuid not null unique default mintmark.ulid(), token uuid not null unique default mintmark.ulid())");
  }

  private static KeysetPages<Ulid> pages(String table, PageOrder order) {
    return KeysetPages.of(table)
        .orderedBy(order)
        .signedWith(KEYRING)
        .reading(List.of("id"), row -> Ulid.of(row.getObject("id", UUID.class)));
  }

  private static ApplicationContextRunner application(String table, PageOrder order) {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                HibernateJpaAutoConfiguration.class,
                MintmarkAutoConfiguration.class,
                MintmarkHibernateTypesAutoConfiguration.class,
                MintmarkPagesAutoConfiguration.class))
        .withUserConfiguration(Application.class)
        .withBean(DataSource.class, DATABASE::dataSource)
        .withBean("listed", KeysetPages.class, () -> pages(table, order));
  }

  private static Consumer<AssertableApplicationContext> refused(String attribute) {
    return context -> {
      FailureAnalysis analysis =
          Objects.requireNonNull(
              new StartFailureAnalyzer()
                  .analyze(Objects.requireNonNull(context.getStartupFailure())));
      assertThat(analysis.getDescription())
          .startsWith("The bean \"listed\" reads pages of the table ")
          .contains("the id is minted in Java: " + attribute + ".");
      assertThat(analysis.getAction())
          .contains("@Minted(by = MintedBy.SERVER)")
          .contains("PageOrder.byTransaction");
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"in_java", "public.in_java", "of_hibernate", "Initialized"})
  void idsOfJavaAreRefused(String table) {
    String entity =
        switch (table) {
          case "of_hibernate" -> Paged.OfHibernate.class.getName();
          case "Initialized" -> Paged.Initialized.class.getName();
          default -> Paged.InJava.class.getName();
        };
    application(table, PageOrder.byMintedId("id")).run(refused(entity + ".id")::accept);
  }

  @Test
  void attributeThatIsNoIdIsRefusedToo() {
    application("other_id", PageOrder.byMintedId("token"))
        .run(refused(Paged.OtherId.class.getName() + ".token")::accept);
    application("other_id", PageOrder.byMintedId("place"))
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void idsOfTheServerArePagedAndRead() {
    application("by_server", PageOrder.byMintedId("id"))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              context
                  .getBean(EntityManagerFactory.class)
                  .runInTransaction(entities -> entities.persist(new Paged.ByServer()));
              KeysetPages<?> listed = context.getBean(KeysetPages.class);
              int rows = 0;
              while (rows == 0) { // Until the slack of the clock has passed.
                rows = listed.read(DATABASE.dataSource(), PageRequest.first(5)).rows().size();
              }
              assertThat(rows).isEqualTo(1);
            });
    application("by_database", PageOrder.byMintedId("id"))
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void pagesByTransactionReadIdsOfJava() {
    application("in_java", PageOrder.byTransaction("xid", "id"))
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void nothingIsCheckedIfThatIsTurnedOff() {
    application("in_java", PageOrder.byMintedId("id"))
        .withPropertyValues("mintmark.pages.check=false")
        .run(context -> assertThat(context).hasNotFailed());
  }

  /** Nobody can see where they come from: they are logged, and the application starts. */
  @Test
  void idsThatTheApplicationAssignsAreNotRefused() {
    application("assigned", PageOrder.byMintedId("id"))
        .run(
            context ->
                assertThat(
                        EntityColumn.of(
                            context
                                .getBean(EntityManagerFactory.class)
                                .unwrap(SessionFactoryImplementor.class),
                            "assigned",
                            "id"))
                    .containsExactly(
                        new EntityColumn(
                            Paged.Assigned.class.getName() + ".id", EntityColumn.Origin.UNKNOWN)));
  }
}
