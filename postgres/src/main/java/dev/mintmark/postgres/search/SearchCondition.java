package dev.mintmark.postgres.search;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The condition of a search for a {@code where} clause: SQL with a {@code ?} for each value, and
 * the values. It has the necessary parentheses for {@code and} and {@code or}. After {@code not} it
 * does not match rows with null in a column.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * SearchCondition found = search.condition("acme 01FZG96YPZK4SANAG1ZM5T2K9Z", "p");
 * PreparedStatement statement =
 *     connection.prepareStatement(
 *         "select p.id from payments p where p.tenant_id = ? and " + found.sql() + " limit 20");
 * statement.setObject(1, tenant);
 * found.bind(statement, 2);
 * }</pre>
 */
public final class SearchCondition {
  /** Matches no row. */
  static final SearchCondition NONE = new SearchCondition("false", List.of(), true);

  private final String sql;
  private final List<Object> binds;
  private final boolean findsNothing;

  private SearchCondition(String sql, List<Object> binds, boolean findsNothing) {
    this.sql = sql;
    this.binds = binds;
    this.findsNothing = findsNothing;
  }

  static SearchCondition of(String sql, Object... binds) {
    return new SearchCondition(sql, List.of(binds), false);
  }

  /** The SQL of the condition; it contains no part of the search text. */
  public String sql() {
    return sql;
  }

  /**
   * The values in order, each a {@link java.util.UUID}, {@link Long} or {@link String}; an
   * immutable list.
   */
  public List<Object> binds() {
    return binds;
  }

  /** Whether no row can match, so that no query is necessary. */
  public boolean findsNothing() {
    return findsNothing;
  }

  /**
   * Sets the parameters from {@code first} to the values, and returns the number of the next
   * parameter.
   *
   * @param first counted from 1
   */
  public int bind(PreparedStatement statement, int first) throws SQLException {
    int parameter = first;
    for (Object value : binds) {
      statement.setObject(parameter++, value);
    }
    return parameter;
  }

  /** Returns the condition without the values. */
  @Override
  public String toString() {
    return sql;
  }

  /** The condition that at least one of these holds; there must be at least one. */
  static SearchCondition anyOf(List<SearchCondition> conditions) {
    return parenthesized(conditions, " or ");
  }

  /** The condition that all of these hold; there must be at least one. */
  static SearchCondition allOf(List<SearchCondition> conditions) {
    return parenthesized(conditions, "\n  and ");
  }

  /** The rows of all of these queries. */
  static SearchCondition unionOf(List<SearchCondition> queries) {
    return joined(queries, " union all ");
  }

  /** Returns a condition or a query around this one, with the same values. */
  SearchCondition within(String before, String after) {
    return new SearchCondition(before + sql + after, binds, findsNothing);
  }

  private static SearchCondition parenthesized(List<SearchCondition> conditions, String operator) {
    return conditions.size() == 1
        ? conditions.get(0)
        : joined(conditions, operator).within("(", ")");
  }

  /** Joins conditions that can each match. */
  private static SearchCondition joined(List<SearchCondition> parts, String operator) {
    return new SearchCondition(
        parts.stream().map(SearchCondition::sql).collect(Collectors.joining(operator)),
        parts.stream().flatMap(part -> part.binds().stream()).toList(),
        false);
  }
}
