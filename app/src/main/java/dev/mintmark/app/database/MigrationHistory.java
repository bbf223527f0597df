package dev.mintmark.app.database;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.zip.CRC32;
import javax.sql.DataSource;

/**
 * The history that Flyway keeps of the migrations that it ran. Where it agrees with the scripts of
 * this version, Flyway has nothing to validate, and takes a second to say so.
 */
final class MigrationHistory {
  private MigrationHistory() {}

  /**
   * Returns whether every migration of a set that was run had the script of this version. Scripts
   * that this version does not have are of a later one, or of another set. False if the history
   * cannot be read: then Flyway finds the reason.
   */
  static boolean agrees(DataSource dataSource, TableSet tables) {
    String query =
        "select script, checksum, success from %s.%s where version is not null and type = 'SQL'"
            .formatted(TableSet.SCHEMA, tables.history());
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet run = statement.executeQuery(query)) {
      while (run.next()) {
        if (!run.getBoolean("success")
            || !agrees(tables, run.getString("script"), run.getInt("checksum"))) {
          return false;
        }
      }
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private static boolean agrees(TableSet tables, String script, int checksum) {
    String resource = tables.migrations() + "/" + script;
    try (InputStream file = MigrationHistory.class.getClassLoader().getResourceAsStream(resource)) {
      return file == null || checksum(file) == checksum;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As Flyway computes it: the CRC-32 of the lines, in UTF-8, without their ends. */
  private static int checksum(InputStream script) throws IOException {
    CRC32 crc = new CRC32();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(script, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      crc.update(line.getBytes(StandardCharsets.UTF_8));
    }
    return (int) crc.getValue();
  }
}
