package dev.mintmark.warehouse.convert;

import dev.mintmark.Quoted;
import dev.mintmark.Spelling;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The names of the columns of CSV.
 *
 * @param names the names in the order of the columns, without quotes
 */
record CsvHeader(List<String> names) {
  /** The most columns that a message lists. */
  private static final int LISTED_MAX = 20;

  /** Reads the names from the record in the bytes from {@code start} to before {@code end}. */
  static CsvHeader of(byte[] bytes, int start, int end, byte delimiter) {
    CsvRecord record = new CsvRecord(delimiter);
    record.find(bytes, start, end, true);
    record.choose(IntStream.range(0, record.fields()).toArray());
    record.find(bytes, start, end, true);
    return new CsvHeader(
        IntStream.range(0, record.fields())
            .mapToObj(i -> name(bytes, record.start(i), record.end(i)))
            .toList());
  }

  private static String name(byte[] bytes, int start, int end) {
    boolean isQuoted = end - start >= 2 && bytes[start] == '"';
    return isQuoted
        ? new String(bytes, start + 1, end - start - 2, StandardCharsets.UTF_8)
            .replace("\"\"", "\"")
        : new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  /**
   * Returns the index of a column.
   *
   * @throws IllegalArgumentException if there is no column of that name, or more than one
   */
  int indexOf(String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "there is no column "
              + Quoted.of(name)
              + Spelling.nearest(name, names)
                  .map(near -> " (did you mean " + Quoted.of(near) + "?)")
                  .orElse("")
              + ": the header has "
              + listed());
    }
    if (index != names.lastIndexOf(name)) {
      throw new IllegalArgumentException(
          "the header has the column "
              + Quoted.of(name)
              + " %s times: rename all but one".formatted(Collections.frequency(names, name)));
    }
    return index;
  }

  /**
   * Checks that the names of added columns are new and distinct.
   *
   * @throws IllegalArgumentException if a name is in the header or is added twice
   */
  void checkNew(List<String> added) {
    Set<String> seen = new HashSet<>(names);
    for (String name : added) {
      if (!seen.add(name)) {
        throw new IllegalArgumentException(
            "the header already has a column "
                + Quoted.of(name)
                + ": choose another suffix for added columns");
      }
    }
  }

  private String listed() {
    String listed =
        names.stream().limit(LISTED_MAX).map(Quoted::of).collect(Collectors.joining(", "));
    return names.size() <= LISTED_MAX
        ? listed
        : listed + " and %,d more".formatted(names.size() - LISTED_MAX);
  }
}
