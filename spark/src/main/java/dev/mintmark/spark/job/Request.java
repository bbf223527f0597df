package dev.mintmark.spark.job;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;

/**
 * The request for a run.
 *
 * @param input the input
 * @param columns the columns that become readable, at least one
 * @param suffix the suffix after the name of the source in the name of a new column
 * @param output the output directory
 * @param outputFormat the format of the output and of the rejects
 * @param rejects the directory of rejected rows
 * @param partitionBy the partitions of the output
 * @param partitionColumn the column in the names of the partitions: {@code created=2026-11}
 * @param csv the format of CSV that is read or written
 * @param parts the number of parts; empty if the job chooses it
 * @param restart whether to remove the output of earlier runs and start over
 */
record Request(
    Input input,
    List<String> columns,
    String suffix,
    Path output,
    Format outputFormat,
    Path rejects,
    PartitionBy partitionBy,
    String partitionColumn,
    CsvFormat csv,
    OptionalInt parts,
    boolean restart) {

  /** The input. */
  sealed interface Input {}

  /** The files of a directory and its subdirectories, or one file. */
  record Files(Format format, Path path) implements Input {}

  /**
   * A PostgreSQL table.
   *
   * @param url the URL of the database, {@code jdbc:postgresql:...}
   * @param user the user; empty if the URL has the user
   * @param password the password; empty if the URL has the password, or if the driver finds it
   * @param table the name of the table, as in SQL
   * @param splitColumn the column by whose ranges the table is read; empty if the job chooses it
   * @param connections the number of tasks that read a part at the same time
   * @param fetchRows the number of rows in a fetch
   */
  record Table(
      String url,
      Optional<String> user,
      Optional<String> password,
      String table,
      Optional<String> splitColumn,
      int connections,
      int fetchRows)
      implements Input {

    /** Returns the URL without its parameters, which may be secret. */
    String shownUrl() {
      int query = url.indexOf('?');
      return query < 0 ? url : url.substring(0, query);
    }

    /** Returns a text without the password. */
    @Override
    public String toString() {
      return shownUrl() + " " + table;
    }
  }

  /** Returns the arguments that must not change between runs, by the names of the options. */
  Map<String, String> arguments() {
    Map<String, String> arguments = new TreeMap<>();
    boolean isCsv = outputFormat == Format.CSV;
    if (input instanceof Files files) {
      arguments.put("--format", files.format.label());
      arguments.put("--input", files.path.toString());
      isCsv = isCsv || files.format == Format.CSV;
    } else if (input instanceof Table table) {
      arguments.put("--format", "jdbc");
      arguments.put("--url", table.shownUrl());
      arguments.put("--table", table.table);
      table.splitColumn.ifPresent(column -> arguments.put("--split-column", column));
    }
    arguments.put("--column", String.join(",", columns));
    arguments.put("--suffix", suffix);
    arguments.put("--output-format", outputFormat.label());
    arguments.put("--rejects", rejects.toString());
    arguments.put("--partition-by", partitionBy.label());
    arguments.put("--partition-column", partitionColumn);
    if (isCsv) {
      arguments.put("--no-header", Boolean.toString(!csv.header()));
      arguments.put("--delimiter", String.valueOf(csv.delimiter()));
      arguments.put("--null", csv.nullText());
      arguments.put("--one-line-records", Boolean.toString(csv.oneLineRecords()));
    }
    return arguments;
  }
}
