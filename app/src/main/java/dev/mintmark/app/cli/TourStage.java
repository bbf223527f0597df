package dev.mintmark.app.cli;

import dev.mintmark.app.cli.common.CalledAs;
import dev.mintmark.app.cli.common.Table;
import dev.mintmark.app.cli.common.Table.Column;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** Runs commands and SQL as a reader would type them, and prints them with what they print. */
final class TourStage {
  private static final String PLAIN = "[A-Za-z0-9_./:=@%+,-]+";

  private final CommandSpec tour;
  private final String jdbcUrl;

  /** A command or a statement did something else than the tour says. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failure(String message) {
      super(message);
    }

    Failure(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * @param tour the command that prints
   * @param jdbcUrl the database of the SQL statements
   */
  TourStage(CommandSpec tour, String jdbcUrl) {
    this.tour = tour;
    this.jdbcUrl = jdbcUrl;
  }

  /** Prints what the reader will see. */
  void say(String sentence) {
    out().println(sentence);
  }

  /**
   * Runs a command and returns what it printed.
   *
   * @param expected its exit status
   * @throws Failure if it ends with another one
   */
  String run(int expected, String... arguments) {
    out().println();
    show("$ " + CalledAs.NAME + " " + typed(arguments));
    StringWriter printed = new StringWriter();
    PrintWriter writer = new PrintWriter(printed);
    CommandLine command =
        MintmarkCommand.commandLine(new ByteArrayOutputStream(), arguments)
            .setOut(writer)
            .setErr(writer);
    int status = command.execute(arguments);
    writer.flush();
    out().print(printed);
    out().flush();
    if (status != expected) {
      throw new Failure(
          "mintmark %s: exit status %s, expected %s".formatted(typed(arguments), status, expected));
    }
    return printed.toString();
  }

  /**
   * Runs an SQL statement, prints its rows, and returns the first value of the first row; an empty
   * text without rows.
   *
   * @throws Failure if it fails
   */
  String sql(String statement) {
    out().println();
    statement.lines().forEach(line -> show("sql> " + line));
    try (Connection connection = DriverManager.getConnection(jdbcUrl);
        Statement sql = connection.createStatement()) {
      if (!sql.execute(statement)) {
        out().flush();
        return "";
      }
      try (ResultSet rows = sql.getResultSet()) {
        return print(rows);
      }
    } catch (SQLException e) {
      throw new Failure("%s: %s".formatted(statement, e.getMessage()), e);
    }
  }

  private String print(ResultSet rows) throws SQLException {
    int count = rows.getMetaData().getColumnCount();
    List<Column> columns = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      columns.add(Column.identifier(rows.getMetaData().getColumnLabel(i)));
    }
    Table table = Table.of(columns.toArray(Column[]::new));
    List<List<String>> read = new ArrayList<>();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= count; i++) {
        row.add(String.valueOf(rows.getString(i)));
      }
      table.add(row.toArray());
      read.add(row);
    }
    table.print(tour, read.stream().map(row -> String.join("  ", row)));
    out().flush();
    return read.isEmpty() ? "" : read.get(0).get(0);
  }

  private void show(String line) {
    Ansi ansi = tour.commandLine().getColorScheme().ansi();
    // Not as markup: a command may contain any character.
    out().println(ansi.enabled() ? Ansi.Style.bold.on() + line + Ansi.Style.reset.on() : line);
  }

  /** Returns arguments as a shell reads them. */
  private static String typed(String... arguments) {
    return Stream.of(arguments)
        .map(
            argument ->
                argument.matches(PLAIN) ? argument : "'" + argument.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  private PrintWriter out() {
    return tour.commandLine().getOut();
  }
}
