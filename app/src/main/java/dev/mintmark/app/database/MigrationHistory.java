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
import java.util.NavigableSet;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * The history that Flyway keeps of the migrations that it ran. If it agrees with the scripts of
 * this version, Flyway has nothing to validate, and takes a second to say so.
 */
final class MigrationHistory {
  private MigrationHistory() {}

  /**
   * Returns whether each version up to the last of ours that was run had our script. Later versions
   * may have any. False also if the history cannot be read: then Flyway finds the reason.
   */
  static boolean agrees(Connection connection, TableSet tables) {
    // Compared here: the operators of the server are those of the search path.
    String query =
        "select version, type, script, checksum, success from %s.%s"
            .formatted(TableSet.SCHEMA, tables.history());
    NavigableSet<Integer> ours = new TreeSet<>();
    NavigableSet<Integer> others = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet run = statement.executeQuery(query)) {
      while (run.next()) {
        if (run.getString("version") == null || !"SQL".equals(run.getString("type"))) {
          continue;
        }
        int version = Integer.parseInt(run.getString("version"));
        OptionalInt checksum = checksum(tables, run.getString("script"));
        if (checksum.isEmpty()) {
          others.add(version);
        } else if (run.getBoolean("success") && checksum.getAsInt() == run.getInt("checksum")) {
          ours.add(version);
        } else {
          return false;
        }
      }
    } catch (SQLException | NumberFormatException e) {
      return false;
    }
    return !ours.isEmpty()
        && ours.size() == ours.last()
        && (others.isEmpty() || others.first() > ours.last());
  }

  /** Empty if this version has no such script. */
  private static OptionalInt checksum(TableSet tables, String script) {
    String resource = tables.migrations() + "/" + script;
    try (InputStream file = MigrationHistory.class.getClassLoader().getResourceAsStream(resource)) {
      return file == null ? OptionalInt.empty() : OptionalInt.of(checksum(file));
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
