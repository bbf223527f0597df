package dev.mintmark.postgres.page;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Part of a statement, with the values of its parameters. */
record Sql(String text, List<Object> values) {
  static Sql of(String text, Object... values) {
    return new Sql(text, List.of(values));
  }

  /** Several parts with a text between them. */
  static Sql join(String between, List<Sql> parts) {
    List<Object> values = new ArrayList<>();
    parts.forEach(part -> values.addAll(part.values()));
    return new Sql(String.join(between, parts.stream().map(Sql::text).toList()), values);
  }

  /** The same with a text in front and one behind. */
  Sql between(String before, String after) {
    return new Sql(before + text + after, values);
  }

  /** The same with a value for one more parameter. */
  Sql withValue(Object value) {
    List<Object> more = new ArrayList<>(values);
    more.add(value);
    return new Sql(text, more);
  }

  PreparedStatement prepare(Connection connection) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(text);
    try {
      for (int i = 0; i < values.size(); i++) {
        statement.setObject(i + 1, values.get(i));
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }
}
