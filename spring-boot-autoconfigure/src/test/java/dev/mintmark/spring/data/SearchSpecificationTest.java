package dev.mintmark.spring.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.IdType;
import dev.mintmark.SequenceId;
import dev.mintmark.entities.Payment;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.search.Search;
import dev.mintmark.postgres.search.SearchIds;
import dev.mintmark.postgres.search.SearchTable;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.jpa.HibernatePersistenceConfiguration;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.support.SimpleJpaRepository;

/** A search box of Spring Data JPA over 20,000 payments. */
@Tag("hibernate")
@Tag("database")
class SearchSpecificationTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();
  private static final List<String> STATEMENTS = new ArrayList<>();
  private static final SearchSpecification<Payment> BOX =
      SearchSpecification.of(
          Search.of(
              SearchTable.of("payments")
                  .key("id")
                  .column("^id", SearchIds.of(IdType.sequences(new SequenceId.Format("PM", 6))))
                  .column("^token", SearchIds.of(IdType.ulids()))
                  .columns("=payee")),
          "id",
          "id");

  private static EntityManagerFactory factory;

  @BeforeAll
  static void start() {
    DATABASE.execute(
        """
        create table payments (id bigint primary key, token uuid not null unique, payee text not null, cents int not null);
        insert into payments
        select n, ('017fe093-7adf-9932-aaaa-' || lpad(to_hex(n), 12, '0'))::uuid, 'payee' || n % 1000, n % 7
        from generate_series(1, 20000) n;
        create index on payments (lower(payee) text_pattern_ops);
        analyze payments;
        """);
    factory =
        new HibernatePersistenceConfiguration("payments")
            .managedClass(Payment.class)
            .property("jakarta.persistence.nonJtaDataSource", DATABASE.dataSource())
            .property(
                "hibernate.session_factory.statement_inspector",
                (StatementInspector)
                    sql -> {
                      STATEMENTS.add(sql);
                      return sql;
                    })
            .createEntityManagerFactory();
  }

  @AfterAll
  static void stop() {
    factory.close();
  }

  private static List<String> found(Specification<Payment> specification) {
    try (EntityManager entities = factory.createEntityManager()) {
      return new SimpleJpaRepository<>(Payment.class, entities)
          .findAll(specification, Sort.by("id")).stream()
              .map(payment -> String.valueOf(payment.id))
              .toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PM00012, 10, PM000120",
    "pm01234, 10, PM012340",
    "012345, 1, PM012345",
    "PM02, 1, PM020000",
    "01FZG96YPZK4SANAG000000000, 0,",
    "01FZG96YPZK4SANAG00000, 20000, PM000001",
    "01FZG96YPZK4SANAG00000004, 32, PM000128",
    "017fe093-7adf-9932-aaaa-0000000004d, 16, PM001232",
    "PAYEE7, 20, PM000007",
    "PAYEE7 PM001, 1, PM001007",
    "MD000123, 0,",
    "'', 0,",
  })
  void textFindsPaymentsByTheBeginningOfAnIdAndByOtherColumns(
      String text, int count, @Nullable String first) {
    List<String> found = found(BOX.matching(text));

    assertThat(found).hasSize(count);
    assertThat(found.stream().findFirst().orElse(null)).isEqualTo(first);
  }

  @Test
  void specificationIsCombinedWithOthersAndPaged() {
    Specification<Payment> odd = (root, query, builder) -> builder.equal(root.get("cents"), 3);
    try (EntityManager entities = factory.createEntityManager()) {
      var page =
          new SimpleJpaRepository<>(Payment.class, entities)
              .findAll(
                  BOX.matching("PM001").and(odd), PageRequest.of(0, 2, Sort.by("id").descending()));

      assertThat(page.getTotalElements()).isEqualTo(143);
      assertThat(page.getContent())
          .extracting(payment -> String.valueOf(payment.id))
          .containsExactly("PM001998", "PM001991");
    }
    assertThat(found(Specification.not(BOX.matching("PM01")))).hasSize(10_000);
  }

  @ParameterizedTest
  @CsvSource({"PM00012", "01FZG96YPZK4SANAG00000004", "PAYEE7"})
  void indexServesTheSearchAndValuesAreBound(String text) throws SQLException {
    STATEMENTS.clear();
    found(BOX.matching(text));

    assertThat(STATEMENTS).hasSize(1);
    String sql = STATEMENTS.get(0);
    assertThat(sql).doesNotContainIgnoringCase("payee7").doesNotContain("120", "017fe");
    assertThat(plan(sql)).contains("Index").doesNotContain("Seq Scan");
  }

  /** The plan for any values. */
  private static String plan(String sql) throws SQLException {
    StringBuilder plan = new StringBuilder();
    String url =
        "jdbc:postgresql://localhost:%d/%s?user=postgres&preferQueryMode=simple"
            .formatted(DATABASE.port(), DATABASE.name());
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet lines = statement.executeQuery("explain (generic_plan) " + numbered(sql))) {
      while (lines.next()) {
        plan.append(lines.getString(1)).append('\n');
      }
    }
    return plan.toString();
  }

  /** Parameters as PostgreSQL numbers them. */
  private static String numbered(String sql) {
    StringBuilder numbered = new StringBuilder();
    int parameter = 0;
    for (int i = 0; i < sql.length(); i++) {
      if (sql.charAt(i) == '?') {
        numbered.append('$').append(++parameter);
      } else {
        numbered.append(sql.charAt(i));
      }
    }
    return numbered.toString();
  }
}
