package dev.mintmark.postgres.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class SqlFileTest {
  private final TestDatabase database = TestDatabase.create();

  @Test
  void bindsByNameAndLeavesCastsTextsAndCommentsAlone() throws SQLException {
    SqlFile statement =
        SqlFile.parse(
            "echo",
            """
            -- A comment with a :name and a question mark?
            select :b::text || ':a' || :a::text || :b::text as answer
            """);

    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement prepared = statement.prepare(connection, Map.of("a", "1", "b", "2"));
        ResultSet result = prepared.executeQuery()) {
      result.next();
      assertThat(result.getString("answer")).isEqualTo("2:a12");
    }
  }

  @Test
  void refusesAParameterThatIsMissingOrUnknown() throws SQLException {
    SqlFile statement = SqlFile.parse("one", "select :a");

    try (Connection connection = database.dataSource().getConnection()) {
      assertThatThrownBy(() -> statement.prepare(connection, Map.of("b", 1)))
          .hasMessage("statement one: missing [a], unknown [b]");
    }
  }

  @Test
  void saysWhichFileIsMissing() {
    assertThatThrownBy(() -> SqlFile.load(SqlFileTest.class, "nowhere"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nowhere.sql");
  }
}
