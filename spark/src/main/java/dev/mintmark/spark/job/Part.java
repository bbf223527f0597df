package dev.mintmark.spark.job;

import java.util.List;

/**
 * A part of the input: some files, or some ranges of the key of a table. It is converted as a
 * whole, and converted again after a failure.
 *
 * @param number the number of the part, from 1
 * @param files the files; empty for a table
 * @param conditions the conditions after {@code where}, each read by its own task; empty for files
 */
record Part(int number, List<InputFile> files, List<String> conditions) {
  static Part ofFiles(int number, List<InputFile> files) {
    return new Part(number, List.copyOf(files), List.of());
  }

  static Part ofTable(int number, List<String> conditions) {
    return new Part(number, List.of(), List.copyOf(conditions));
  }
}
