package dev.mintmark.spark.job;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;

/**
 * What a run is asked for.
 *
 * @param input what is read
 * @param columns the columns that become readable, at least one
 * @param suffix what the names of the new columns have behind those of their sources
 * @param output the directory that is written
 * @param outputFormat how
 * @param rejects the directory of the rows that are not
 * @param partitionBy into which directories of the output
 * @param partitionColumn how these begin: {@code created=2026-11}
 * @param csv how CSV is read and written
 * @param parts into how many parts the input is divided, if that is not left to the job
 * @param restart whether what an earlier run has written is removed, and all begun anew
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
    CsvOptions csv,
    OptionalInt parts,
    boolean restart) {

  /** What is read. */
  sealed interface Input {}

  /** The files of a directory and of those below it, or one file. */
  record Files(Format format, Path path) implements Input {}

  /**
   * A table of PostgreSQL.
   *
   * @param url {@code jdbc:postgresql:...}
   * @param user who logs in, unless the URL says or the environment does
   * @param password theirs, by the same rule
   * @param table as in SQL
   * @param splitColumn the column by whose ranges it is read, unless the job chooses
   * @param connections how many tasks read a part at once
   * @param fetchRows how many rows cross the network at a time
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

    /** The URL as it may be shown and kept: without its parameters. */
    String shownUrl() {
      int query = url.indexOf('?');
      return query < 0 ? url : url.substring(0, query);
    }

    /** Without the password. */
    @Override
    public String toString() {
      return shownUrl() + " " + table;
    }
  }

  /** What must stay as it is until the output is complete, by the names of the options. */
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
