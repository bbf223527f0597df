package dev.mintmark.app.view;

import java.util.List;

/**
 * What a backup contains.
 *
 * @param createdAt the moment as of which it is
 * @param mintmark the version of the program that made it
 * @param postgresql the version of the server
 */
public record BackupJson(
    String file,
    String createdAt,
    String mintmark,
    String postgresql,
    long rows,
    List<TableJson> tables) {
  /**
   * A table of the backup.
   *
   * @param bytes the length of its rows, not compressed
   * @param sha256 the digest of its rows, in hexadecimal digits
   */
  public record TableJson(
      String name, List<String> columns, long rows, long bytes, String sha256) {}
}
