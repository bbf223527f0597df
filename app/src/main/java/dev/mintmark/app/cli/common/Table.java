package dev.mintmark.app.cli.common;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A list for people: rows under headings, in columns as wide as their contents. In a pipe a list
 * has no headings, so that scripts read each line alike.
 *
 * <pre>
 *   pool         blocks       capacity  free  held
 *   public-ipv4  192.0.2.0/30        4     3     1
 * </pre>
 *
 * <p>If the columns are wider than the terminal, the widest columns of text are cut to fit, with an
 * ellipsis, but not below {@value #TEXT_MIN} characters: then lines are longer than the terminal.
 * Identifiers and numbers are never cut. A column without any content is left out.
 */
public final class Table {
  /** The least width to which a column of text is cut. */
  private static final int TEXT_MIN = 8;

  private static final String GAP = "  ";
  private static final String ELLIPSIS = "…";

  private final List<Column> columns;
  private final List<List<String>> rows = new ArrayList<>();

  private Table(List<Column> columns) {
    this.columns = columns;
  }

  /** What a column holds. */
  private enum Content {
    TEXT,
    IDENTIFIER,
    NUMBER
  }

  /** A column: its heading and its content. */
  public record Column(String heading, Content content) {
    /** A column of text, which may be cut. */
    public static Column text(String heading) {
      return new Column(heading, Content.TEXT);
    }

    /** A column of text that the user types again, so it is never cut. */
    public static Column identifier(String heading) {
      return new Column(heading, Content.IDENTIFIER);
    }

    /** A column of numbers, aligned at the right. */
    public static Column number(String heading) {
      return new Column(heading, Content.NUMBER);
    }
  }

  public static Table of(Column... columns) {
    return new Table(List.of(columns));
  }

  /**
   * Adds a row.
   *
   * @param cells one for each column
   * @throws IllegalArgumentException if there are more or fewer
   */
  public Table add(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "%s cells for %s columns".formatted(cells.length, columns.size()));
    }
    rows.add(Stream.of(cells).map(cell -> PrintableText.of(String.valueOf(cell))).toList());
    return this;
  }

  /**
   * Prints this on a terminal, and the lines in a pipe.
   *
   * @param lines the list as scripts read it, one entry a line
   */
  public void print(CommandSpec command, Stream<String> lines) {
    PrintWriter out = command.commandLine().getOut();
    OptionalInt width = Terminal.columns();
    if (width.isEmpty()) {
      lines.forEach(out::println);
      return;
    }
    Ansi ansi = command.commandLine().getColorScheme().ansi();
    List<String> table = lines(width.getAsInt());
    out.println(ansi.string("@|bold " + table.get(0) + "|@"));
    table.stream().skip(1).forEach(out::println);
  }

  /** Returns the headings and the rows for a terminal of this width. */
  List<String> lines(int width) {
    int[] shown =
        IntStream.range(0, columns.size())
            .filter(column -> rows.isEmpty() || !isEmpty(column))
            .toArray();
    int[] widths = IntStream.range(0, columns.size()).map(this::width).toArray();
    cut(shown, widths, width);
    return Stream.concat(Stream.of(columns.stream().map(Column::heading).toList()), rows.stream())
        .map(
            row ->
                IntStream.of(shown)
                    .mapToObj(
                        column -> padded(row.get(column), columns.get(column), widths[column]))
                    .collect(Collectors.joining(GAP))
                    .stripTrailing())
        .toList();
  }

  private boolean isEmpty(int column) {
    return rows.stream().allMatch(row -> row.get(column).isEmpty());
  }

  private int width(int column) {
    return Stream.concat(
            Stream.of(columns.get(column).heading()), rows.stream().map(row -> row.get(column)))
        .mapToInt(Table::length)
        .max()
        .orElse(0);
  }

  /** Takes a character from the widest column of text, until the row fits. */
  private void cut(int[] shown, int[] widths, int width) {
    int excess =
        IntStream.of(shown).map(column -> widths[column] + GAP.length()).sum()
            - GAP.length()
            - width;
    for (; excess > 0; excess--) {
      int widest =
          IntStream.of(shown)
              .filter(column -> columns.get(column).content() == Content.TEXT)
              .reduce((a, b) -> widths[b] > widths[a] ? b : a)
              .orElse(-1);
      if (widest < 0 || widths[widest] <= TEXT_MIN) {
        return;
      }
      widths[widest]--;
    }
  }

  private static String padded(String cell, Column column, int width) {
    int missing = width - length(cell);
    if (missing < 0) {
      return cell.substring(0, cell.offsetByCodePoints(0, width - 1)) + ELLIPSIS;
    }
    String padding = " ".repeat(missing);
    return column.content() == Content.NUMBER ? padding + cell : cell + padding;
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
