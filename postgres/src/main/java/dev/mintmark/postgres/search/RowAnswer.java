package dev.mintmark.postgres.search;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What {@link RowFinder} found in one collection. Immutable. */
public sealed interface RowAnswer {
  /** The name of the collection: {@code meats}, or {@code soundcloud:tracks} of another's. */
  String collection();

  /**
   * The collection has such rows.
   *
   * @param table the schema and the name of the table, quoted where SQL requires it
   * @param columns the names of the columns that were read
   * @param rows the values of each row, in the order of the columns: 1 to {@link
   *     RowFinder#ROWS_MAX} rows
   * @param hasMore whether the table has more of them, as a column without a unique index may
   */
  record Found(
      String collection,
      String table,
      List<String> columns,
      List<List<Value>> rows,
      boolean hasMore)
      implements RowAnswer {
    public Found {
      columns = List.copyOf(columns);
      rows = rows.stream().map(List::copyOf).toList();
    }
  }

  /**
   * A value in a row.
   *
   * @param text as PostgreSQL writes it, with dates in ISO 8601 and times in UTC; empty if it is
   *     null
   * @param isCut whether the text is longer than {@link RowFinder#VALUE_LENGTH_MAX} characters, of
   *     which it has the first
   */
  record Value(Optional<String> text, boolean isCut) {}

  /** The collection has no such row, or no text of this form is an identifier of it. */
  record None(String collection) implements RowAnswer {}

  /**
   * Whether the collection has such a row is not known.
   *
   * @param detail the reason for people, and what to do about it
   */
  record NotLookedAt(String collection, Reason reason, String detail) implements RowAnswer {}

  /** Why a collection was not looked at. */
  enum Reason {
    /** The text has the form of a face of the collection, and there is no keyring to open it. */
    NO_SECRET,
    /** There is no such table. */
    NO_TABLE,
    /** It is a view, or part of it is on another server: no index of it can be used. */
    NOT_A_TABLE,
    /** The table has no such column. */
    NO_COLUMN,
    /** The column does not hold what the catalog declares. */
    OTHER_TYPE,
    /** The role may not read the columns. */
    NO_PRIVILEGE,
    /** No valid index without a condition begins with the column. */
    NO_INDEX,
    /** No row is visible, but row security may hide it from the role. */
    ROW_SECURITY,
    /** Another session has locked the whole table. */
    LOCKED,
    /** The statement exceeded its timeout. */
    TIMED_OUT,
    /** The time for all tables was over. */
    OUT_OF_TIME,
    /** PostgreSQL reported another error. */
    FAILED;

    /** The name in JSON: {@code no_index}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
