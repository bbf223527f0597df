package dev.mintmark.postgres.search;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a row has to meet to be found, to be put into a {@code where} clause: a condition with a
 * {@code ?} for each value, and the values. It stands in parentheses where it needs them, so it
 * goes with {@code and} and {@code or} as it is. Behind {@code not} it leaves out rows that have
 * null in a column.
 *
 * <p>Immutable, and so safe in any number of threads.
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
  /** Finds nothing. */
  static final SearchCondition NONE = new SearchCondition("false", List.of());

  private final String sql;
  private final List<Object> binds;

  private SearchCondition(String sql, List<Object> binds) {
    this.sql = sql;
    this.binds = binds;
  }

  static SearchCondition of(String sql, Object... binds) {
    return new SearchCondition(sql, List.of(binds));
  }

  /** The condition; no part of the search text is in it. */
  public String sql() {
    return sql;
  }

  /**
   * The values in order, each a {@link java.util.UUID}, {@link Long} or {@link String}; a list that
   * does not change.
   */
  public List<Object> binds() {
    return binds;
  }

  /** Whether no row can meet it, so that there is nothing to ask the database. */
  public boolean findsNothing() {
    return this == NONE;
  }

  /**
   * Sets the parameters from {@code first} on to the values, and returns the number of the next
   * one.
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

  /** For people: the condition without the values. */
  @Override
  public String toString() {
    return sql;
  }

  /** The condition that one of these, of which there is one at least, is met. */
  static SearchCondition anyOf(List<SearchCondition> conditions) {
    return parenthesized(conditions, " or ");
  }

  /** The condition that all of these, of which there is one at least, are met. */
  static SearchCondition allOf(List<SearchCondition> conditions) {
    return parenthesized(conditions, "\n  and ");
  }

  /** The rows of all of these queries. */
  static SearchCondition unionOf(List<SearchCondition> queries) {
    return joined(queries, " union all ");
  }

  /** Returns the same values in a condition around this one. */
  SearchCondition within(String before, String after) {
    return new SearchCondition(before + sql + after, binds);
  }

  private static SearchCondition parenthesized(List<SearchCondition> conditions, String operator) {
    return conditions.size() == 1
        ? conditions.get(0)
        : joined(conditions, operator).within("(", ")");
  }

  private static SearchCondition joined(List<SearchCondition> parts, String operator) {
    return new SearchCondition(
        parts.stream().map(SearchCondition::sql).collect(Collectors.joining(operator)),
        parts.stream().flatMap(part -> part.binds().stream()).toList());
  }
}
