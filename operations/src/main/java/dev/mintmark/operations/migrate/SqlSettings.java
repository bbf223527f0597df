package dev.mintmark.operations.migrate;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * The settings that change what the text of a statement means, or how the server writes an
 * expression, each with a value (PostgreSQL manual, chapter "Server Configuration"). Immutable.
 */
final class SqlSettings {
  private static final SqlFile READ = SqlFile.load(SqlSettings.class, "read_settings");
  private static final SqlFile SET = SqlFile.load(SqlSettings.class, "set_settings");

  /** The values under which a plan is made and its statements run. */
  static final SqlSettings PINNED =
      new SqlSettings(
          List.of(
              // Names that are not of pg_catalog are written with their schema.
              new Setting("search_path", "pg_catalog"),
              new Setting("standard_conforming_strings", "on"),
              new Setting("escape_string_warning", "off"),
              new Setting("backslash_quote", "safe_encoding"),
              new Setting("quote_all_identifiers", "off"),
              new Setting("transform_null_equals", "off"),
              new Setting("array_nulls", "on"),
              new Setting("bytea_output", "hex"),
              // The order of day and month stays: checks of users may depend on it, and ISO does
              // not.
              new Setting("DateStyle", "ISO"),
              new Setting("IntervalStyle", "postgres"),
              new Setting("extra_float_digits", "3"),
              new Setting("xmloption", "content"),
              new Setting("lc_monetary", "C")));

  private final List<Setting> settings;

  private SqlSettings(List<Setting> settings) {
    this.settings = List.copyOf(settings);
  }

  private record Setting(String name, String value) {}

  /** Returns the values that the settings have in a session now. */
  static SqlSettings of(Connection connection) throws SQLException {
    return new SqlSettings(
        READ.query(
            connection,
            Map.of("names", PINNED.names()),
            row -> new Setting(row.getString("name"), row.getString("value"))));
  }

  /**
   * Sets them.
   *
   * @param local whether they end with the transaction
   */
  void set(Connection connection, boolean local) throws SQLException {
    SET.query(
        connection, Map.of("names", names(), "values", values(), "local", local), row -> true);
  }

  String[] names() {
    return settings.stream().map(Setting::name).toArray(String[]::new);
  }

  String[] values() {
    return settings.stream().map(Setting::value).toArray(String[]::new);
  }

  /** Returns a statement for each, for the session. */
  List<String> statements() {
    return settings.stream()
        .map(setting -> "set " + setting.name() + " = " + SqlLiteral.of(setting.value()))
        .toList();
  }
}
