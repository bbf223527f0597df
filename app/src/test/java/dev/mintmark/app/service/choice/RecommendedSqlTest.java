package dev.mintmark.app.service.choice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.service.choice.Answer.Column;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.pool.Pools;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** PostgreSQL runs the SQL of every recommendation, on the column that exists. */
@Tag("slow")
class RecommendedSqlTest {
  /** A case, each of which is run once. */
  private record Case(Column column, String sql) {}

  @Test
  void theSqlRuns() throws SQLException {
    Set<Case> run = new HashSet<>();
    try (Database database = OwnDatabases.open()) {
      DataSource dataSource = database.connectionPool("test", 4);
      Pack.inSchema(Pack.SCHEMA).install(dataSource);
      declarePool(dataSource);
      try (Connection connection = dataSource.getConnection()) {
        connection.setAutoCommit(false);
        for (Answers answers : EveryAnswer.combination().toList()) {
          Recommendation recommendation = Decision.of(answers);
          if (run.add(new Case(answers.column(), recommendation.sql()))) {
            run(connection, answers, recommendation);
          }
        }
      }
    }

    assertThat(run).hasSizeGreaterThan(20);
  }

  private static void declarePool(DataSource dataSource) throws SQLException {
    String pool =
        EveryAnswer.combination()
            .map(Decision::of)
            .filter(recommendation -> recommendation.choice() == Choice.POOL)
            .findFirst()
            .flatMap(Recommendation::catalog)
            .orElseThrow();
    Catalog catalog = CatalogReader.read("mintmark.yaml", "namespace: acme\n" + pool);
    Pools.migrate(dataSource);
    try (Pools pools = Pools.over(dataSource)) {
      catalog.pools().forEach(pools::create);
    }
  }

  /** Runs the SQL, and inserts a row without an id if the database mints it. */
  private static void run(Connection connection, Answers answers, Recommendation recommendation)
      throws SQLException {
    String sql = recommendation.sql();
    try (Statement statement = connection.createStatement()) {
      for (String existing : existing(answers.column())) {
        if (!existing.isEmpty() && recommendation.kind().isPresent()) {
          statement.execute("create table orders (id " + existing + " primary key)");
        }
        if (!sql.lines().allMatch(line -> line.startsWith("--"))) {
          statement.execute(sql);
        }
        if (sql.contains("mintmark.")
            && recommendation.kind().isPresent()
            && !sql.startsWith("--")) {
          statement.execute("insert into orders default values");
        }
        connection.rollback();
      }
    } catch (SQLException e) {
      throw new AssertionError(answers + "\n" + sql, e);
    }
  }

  /** The types of keys that a column of this type may have. */
  private static List<String> existing(Column column) {
    return switch (column) {
      case NEW -> List.of("");
      case UUID -> List.of("uuid", "uuid default gen_random_uuid()");
      case BIGINT -> List.of("bigint", "bigserial", "bigint generated always as identity");
      case INTEGER -> List.of("integer");
      case TEXT -> List.of("text");
    };
  }
}
