package dev.mintmark.spark.job;

import java.util.List;

/**
 * What is done at once, or once more after a failure: some files, or some ranges of a table's key.
 *
 * @param number from 1 on
 * @param files the files, none of a table
 * @param conditions what stands behind {@code where}, each read by a task of its own; none of files
 */
record Part(int number, List<InputFile> files, List<String> conditions) {
  static Part ofFiles(int number, List<InputFile> files) {
    return new Part(number, List.copyOf(files), List.of());
  }

  static Part ofTable(int number, List<String> conditions) {
    return new Part(number, List.of(), List.copyOf(conditions));
  }
}
