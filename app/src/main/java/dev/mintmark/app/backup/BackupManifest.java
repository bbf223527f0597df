package dev.mintmark.app.backup;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a backup contains. It is the last entry of the file, so a file that has it is complete.
 *
 * @param format the version of the format, {@link #FORMAT}
 * @param createdAt when its transaction began, in UTC
 * @param mintmark the version of the program that made it
 * @param postgresql the version of the server
 * @param failoverPending whether the server was on another timeline, or in another cluster, than in
 *     the latest epoch, so that claims may be lost that no server of Mintmark has missed yet; null
 *     if that is not known, and in format 1
 * @param versions the latest migration of each set of tables that has versions, by the table that
 *     records them
 */
public record BackupManifest(
    int format,
    String createdAt,
    String mintmark,
    String postgresql,
    @Nullable Boolean failoverPending,
    Map<String, String> versions,
    List<TableData> tables,
    List<SequenceData> sequences) {
  /** The version of the format. A program reads backups of this and of earlier ones. */
  static final int FORMAT = 2;

  /**
   * The rows of a table.
   *
   * @param columns the columns in the order of the data
   * @param bytes the length of the data, not compressed
   * @param sha256 the digest of the data, in hexadecimal digits
   */
  public record TableData(String name, List<String> columns, long rows, long bytes, String sha256) {
    /** The entry of the file: rows in the text format of {@code COPY}. */
    String entry() {
      return entryOf(name);
    }

    static String entryOf(String table) {
      return "tables/" + table + ".copy";
    }
  }

  /** The state of a sequence. */
  public record SequenceData(String name, long lastValue, boolean isCalled) {}

  /** All rows. */
  public long rows() {
    return tables.stream().mapToLong(TableData::rows).sum();
  }

  /** The length of the data of all tables, not compressed. */
  public long bytes() {
    return tables.stream().mapToLong(TableData::bytes).sum();
  }

  /** The rows of one table; empty if the backup does not have it. */
  Optional<TableData> table(String name) {
    return tables.stream().filter(table -> table.name.equals(name)).findFirst();
  }
}
