package dev.mintmark.postgres.page;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns to read, and the reader that converts them to a value.
 *
 * @param names the columns of the table
 * @param joins the columns of other tables
 */
record PageColumns<T>(List<String> names, List<PageJoin> joins, RowReader<T> reader) {
  PageColumns {
    joins = List.copyOf(joins);
    Set<String> all = new HashSet<>(names);
    for (PageJoin join : joins) {
      join.requireComplete();
      for (String name : join.names()) {
        if (!all.add(name)) {
          throw new IllegalArgumentException(
              "two columns are read as %s: give one another name".formatted(Quoted.of(name)));
        }
      }
    }
  }

  /** Returns what a statement selects. */
  List<String> selected(PageTable table) {
    List<String> selected = new ArrayList<>();
    names.forEach(column -> selected.add(SqlName.quoted(column)));
    joins.forEach(join -> selected.addAll(join.selected(table)));
    return selected;
  }

  /** Returns the number of columns that are read. */
  int count() {
    return names.size() + joins.stream().mapToInt(join -> join.names().size()).sum();
  }
}
