package dev.mintmark.postgres.page;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A condition that all rows of pages fulfil, beside the scope: a comparison of one column with
 * fixed values, which are bound.
 *
 * <pre>{@code
 * KeysetPages.of("incidents")
 *     .where(RowCondition.isNull("deleted_at"))
 *     .where(RowCondition.in("severity", 1, 2))
 * }</pre>
 *
 * <p>Only what depends on the row alone can be said: no function, no other table, no present time.
 * So a condition cannot begin to hold for a row unless the row is updated. Pages stay gap-free for
 * the rows whose column does not change: a row that is updated to fulfil the condition, after its
 * place in the order was passed, is not returned.
 *
 * <p>Immutable and thread-safe.
 */
public final class RowCondition {
  /** The maximum number of values of {@link #in}. */
  public static final int VALUES_MAX = 100;

  /** How a column is compared with a value. */
  public enum Operator {
    /** Equal. */
    EQUAL("="),
    /** Not equal, and not null. */
    NOT_EQUAL("<>"),
    /** Less. */
    LESS("<"),
    /** Less or equal. */
    AT_MOST("<="),
    /** Greater. */
    GREATER(">"),
    /** Greater or equal. */
    AT_LEAST(">=");

    private final String sql;

    Operator(String sql) {
      this.sql = sql;
    }
  }

  private final String column;
  private final String operator;
  private final List<Object> values;

  private RowCondition(String column, String operator, List<Object> values) {
    SqlName.quoted(column);
    this.column = column;
    this.operator = operator;
    this.values = values;
  }

  /**
   * Returns the condition that a column has a value in this relation to another.
   *
   * @param value of a class that {@link PageRequest#in} accepts; it is cast to the type of the
   *     column
   * @throws IllegalArgumentException if the value is of another class, or the name is malformed
   */
  public static RowCondition of(String column, Operator operator, Object value) {
    return new RowCondition(
        column, operator.sql, List.of(PageRequest.checked("condition", column, value)));
  }

  /**
   * Returns the condition that a column has one of these values.
   *
   * @param values 1 to {@value #VALUES_MAX}, each of a class that {@link PageRequest#in} accepts
   * @throws IllegalArgumentException if there are none or too many, or one is of another class, or
   *     the name is malformed
   */
  public static RowCondition in(String column, Object... values) {
    if (values.length == 0 || values.length > VALUES_MAX) {
      throw new IllegalArgumentException(
          "condition: %s values for column %s: expected 1 to %s"
              .formatted(values.length, Quoted.of(column), VALUES_MAX));
    }
    List<Object> checked = new ArrayList<>();
    for (Object value : values) {
      checked.add(PageRequest.checked("condition", column, value));
    }
    return new RowCondition(column, "in", List.copyOf(checked));
  }

  /**
   * Returns the condition that a column is null.
   *
   * @throws IllegalArgumentException if the name is malformed
   */
  public static RowCondition isNull(String column) {
    return new RowCondition(column, "is null", List.of());
  }

  /**
   * Returns the condition that a column is not null.
   *
   * @throws IllegalArgumentException if the name is malformed
   */
  public static RowCondition isNotNull(String column) {
    return new RowCondition(column, "is not null", List.of());
  }

  String column() {
    return column;
  }

  /** Returns the condition as SQL. */
  SqlFragment sql(PageTable table) {
    return switch (operator) {
      case "is null", "is not null" -> SqlFragment.of(SqlName.quoted(column) + " " + operator);
      case "in" -> isOneOf(table);
      default -> comparison(table, operator, values.get(0));
    };
  }

  private SqlFragment isOneOf(PageTable table) {
    if (values.size() == 1 || table.type(column).endsWith("[]")) { // An array has no array type.
      return SqlFragment.join(
              " or ", values.stream().map(value -> comparison(table, "=", value)).toList())
          .between("(", ")");
    }
    return SqlFragment.join(", ", values.stream().map(value -> parameter(table, value)).toList())
        .between(SqlName.quoted(column) + " " + table.operator(column, "=") + " any (array[", "])");
  }

  private SqlFragment comparison(PageTable table, String symbol, Object value) {
    return parameter(table, value)
        .between(SqlName.quoted(column) + " " + table.operator(column, symbol) + " ", "");
  }

  private SqlFragment parameter(PageTable table, Object value) {
    return SqlFragment.of("?::" + table.type(column), table.bindable(column, value));
  }

  /** Returns the parts of a text that is unique to this condition. */
  List<String> identity() {
    List<String> parts = new ArrayList<>(List.of(column, operator));
    parts.add(Integer.toString(values.size()));
    values.forEach(value -> parts.add(PageRequest.identity(value)));
    return parts;
  }

  /** For people: {@code severity in [1, 2]}. */
  @Override
  public String toString() {
    Optional<Object> value =
        switch (values.size()) {
          case 0 -> Optional.empty();
          case 1 -> Optional.of(values.get(0));
          default -> Optional.of(values);
        };
    return column + " " + operator + value.map(shown -> " " + shown).orElse("");
  }
}
