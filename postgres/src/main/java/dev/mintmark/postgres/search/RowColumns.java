package dev.mintmark.postgres.search;

import java.util.List;

/** Which columns {@link RowFinder} reads of a row. Immutable. */
public sealed interface RowColumns {
  /** These columns, and no other. */
  record Named(List<String> names) implements RowColumns {
    public Named {
      names = List.copyOf(names);
      if (names.isEmpty()) {
        throw new IllegalArgumentException("expected at least one column");
      }
    }
  }

  /** The primary key, and the column of the identifier. */
  record Key() implements RowColumns {}

  /** All columns of the table. */
  record All() implements RowColumns {}
}
