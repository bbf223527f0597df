package dev.mintmark.operations.internal.schema;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.regex.Pattern;

/**
 * A trigger that a user made.
 *
 * @param relation the oid of its table
 * @param definition the statement that creates it
 * @param beforeRow whether it can change a row before the row is written
 * @param onUpdate whether it fires on updates
 * @param ofColumns whether it fires on updates of some columns only
 * @param function its function with the types of parameters
 * @param body the source of the function
 */
public record Trigger(
    long relation,
    String name,
    String definition,
    Mode mode,
    boolean beforeRow,
    boolean onUpdate,
    boolean ofColumns,
    String function,
    String body) {
  /** The sessions that a trigger fires in (pg_trigger.tgenabled). */
  public enum Mode {
    /** Sessions with {@code session_replication_role} origin or local. */
    ORIGIN('O', "enable"),
    DISABLED('D', "disable"),
    /** Sessions with {@code session_replication_role} replica. */
    REPLICA('R', "enable replica"),
    ALWAYS('A', "enable always");

    private final char code;
    private final String action;

    Mode(char code, String action) {
      this.code = code;
      this.action = action;
    }

    /** Returns the action of {@code alter table} that sets it: {@code enable replica}. */
    public String action() {
      return action;
    }
  }

  static Trigger read(ResultSet row) throws SQLException {
    return new Trigger(
        row.getLong("relation"),
        row.getString("name"),
        row.getString("definition"),
        Codes.find(Mode.values(), mode -> mode.code, row.getString("mode")),
        row.getBoolean("is_before_row"),
        row.getBoolean("is_on_update"),
        row.getBoolean("is_of_columns"),
        row.getString("function"),
        row.getString("body"));
  }

  /** Returns whether an update of a new column fires it in an ordinary session. */
  public boolean firesOnUpdate() {
    return onUpdate && !ofColumns && (mode == Mode.ORIGIN || mode == Mode.ALWAYS);
  }

  /** Returns whether an update of a new column fires it in the session of a replica. */
  public boolean firesForReplicas() {
    return onUpdate && !ofColumns && (mode == Mode.REPLICA || mode == Mode.ALWAYS);
  }

  /** Returns whether its definition names a column, or its function names one of NEW or OLD. */
  public boolean mentions(Collection<String> columns) {
    return columns.stream()
        .map(Pattern::quote)
        .anyMatch(
            column ->
                finds("(?<!\\w)(?:new|old)\\s*\\.\\s*\"?" + column + "\"?(?!\\w)", body)
                    || finds("(?<!\\w)" + column + "(?!\\w)", definition));
  }

  private static boolean finds(String pattern, String text) {
    return Pattern.compile(
            pattern,
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.UNICODE_CHARACTER_CLASS)
        .matcher(text)
        .find();
  }
}
