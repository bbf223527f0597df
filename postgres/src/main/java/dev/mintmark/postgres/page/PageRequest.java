package dev.mintmark.postgres.page;

import dev.mintmark.Quoted;
import dev.mintmark.Ulid;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A request for a page: the cursor, the direction, the number of rows and the scope.
 *
 * <pre>{@code
 * PageRequest.first(25).in("organisation_id", organisation)
 * PageRequest.after(page.after(), 25).in("organisation_id", organisation)
 * }</pre>
 */
public final class PageRequest {
  /** The maximum number of rows of a page. */
  public static final int LIMIT_MAX = 10_000;

  private final Optional<String> cursor;
  private final boolean backwards;
  private final int limit;
  private final Map<String, Object> scope;

  private PageRequest(
      Optional<String> cursor, boolean backwards, int limit, Map<String, Object> scope) {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException(
          "page of %s rows: expected 1 to %s".formatted(limit, LIMIT_MAX));
    }
    this.cursor = cursor;
    this.backwards = backwards;
    this.limit = limit;
    this.scope = Collections.unmodifiableMap(scope);
  }

  /**
   * Requests the first rows of the order.
   *
   * @param limit 1 to {@value #LIMIT_MAX} rows
   */
  public static PageRequest first(int limit) {
    return new PageRequest(Optional.empty(), false, limit, Map.of());
  }

  /** Requests the last rows of the order, the last row first. */
  public static PageRequest last(int limit) {
    return new PageRequest(Optional.empty(), true, limit, Map.of());
  }

  /**
   * Requests the rows after a cursor.
   *
   * @param cursor either cursor of any {@link Page} of the same pages
   */
  public static PageRequest after(String cursor, int limit) {
    return new PageRequest(Optional.of(cursor), false, limit, Map.of());
  }

  /** Requests the rows before a cursor, the last row first. */
  public static PageRequest before(String cursor, int limit) {
    return new PageRequest(Optional.of(cursor), true, limit, Map.of());
  }

  /**
   * Returns this request for rows with this value in a column of the scope.
   *
   * @param value a {@code String}, {@code UUID}, {@code Ulid}, {@code Integer}, {@code Long},
   *     {@code Short}, {@code Boolean}, {@code BigDecimal} or {@code LocalDate}. It is cast to the
   *     type of the column; a {@code Ulid} is its upper-case text in a column of texts, and a uuid
   *     in others
   * @throws IllegalArgumentException if the value is of another class, or the column already has a
   *     value
   */
  public PageRequest in(String column, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(scope);
    if (more.put(column, checked("scope", column, value)) != null) {
      throw new IllegalArgumentException("scope: two values for column " + Quoted.of(column));
    }
    return new PageRequest(cursor, backwards, limit, more);
  }

  Optional<String> cursor() {
    return cursor;
  }

  boolean backwards() {
    return backwards;
  }

  int limit() {
    return limit;
  }

  Map<String, Object> scope() {
    return scope;
  }

  /**
   * Returns the text of a value in {@link PageDefinition#identity}. That of a ULID is its UUID, as
   * in earlier releases, whose cursors continue.
   */
  static String identity(Object value) {
    return value instanceof Ulid ulid ? ulid.toUuid().toString() : value.toString();
  }

  /**
   * Returns a value of a class that {@link PageTable#bindable} accepts.
   *
   * @param use what it is for, in messages
   */
  static Object checked(String use, String column, Object value) {
    if (value instanceof String
        || value instanceof UUID
        || value instanceof Ulid
        || value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Boolean
        || value instanceof BigDecimal
        || value instanceof LocalDate) {
      return value;
    }
    throw new IllegalArgumentException(
        "%s: a value of %s for column %s: expected a text, a number, a UUID, a boolean or a date"
            .formatted(use, value.getClass(), Quoted.of(column)));
  }
}
