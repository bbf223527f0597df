package dev.mintmark.postgres.page;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A part of a statement, with the values of its parameters. */
record SqlFragment(String text, List<Object> values) {
  static SqlFragment of(String text, Object... values) {
    return new SqlFragment(text, List.of(values));
  }

  /** Joins fragments, with a text between them. */
  static SqlFragment join(String between, List<SqlFragment> parts) {
    List<Object> values = new ArrayList<>();
    parts.forEach(part -> values.addAll(part.values()));
    return new SqlFragment(
        String.join(between, parts.stream().map(SqlFragment::text).toList()), values);
  }

  /** Returns this fragment with a text before it and a text after it. */
  SqlFragment between(String before, String after) {
    return new SqlFragment(before + text + after, values);
  }

  /** Returns this fragment with the value of one more parameter. */
  SqlFragment withValue(Object value) {
    List<Object> more = new ArrayList<>(values);
    more.add(value);
    return new SqlFragment(text, more);
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
