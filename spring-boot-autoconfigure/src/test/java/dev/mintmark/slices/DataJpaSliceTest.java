package dev.mintmark.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.slices.SliceApplication.Payment;
import dev.mintmark.slices.SliceApplication.PaymentId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jpa.test.autoconfigure.TestEntityManager;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** {@code @DataJpaTest} of an application. */
@Tag("hibernate")
@Tag("database")
@DataJpaTest(
    properties = {
      SliceApplication.CATALOG,
      "mintmark.pack.install=true",
      "spring.flyway.enabled=false",
      "spring.liquibase.enabled=false",
      "spring.jpa.hibernate.ddl-auto=create",
      "spring.test.database.replace=none"
    })
class DataJpaSliceTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();

  @DynamicPropertySource
  static void database(DynamicPropertyRegistry properties) {
    properties.add(
        "spring.datasource.url",
        () ->
            "jdbc:postgresql://localhost:%d/%s?user=postgres"
                .formatted(DATABASE.port(), DATABASE.name()));
  }

  @Test
  void entitiesHaveIdentifiersAndThePackIsInstalled(@Autowired TestEntityManager entities) {
    Payment payment = new Payment();
    payment.id = new PaymentId(7);
    Payment stored = entities.persistFlushFind(payment);

    assertThat(stored.token).isNotNull();
    assertThat(
            entities
                .getEntityManager()
                .createNativeQuery("select id from payment", Long.class)
                .getSingleResult())
        .isEqualTo(7L);
  }
}
