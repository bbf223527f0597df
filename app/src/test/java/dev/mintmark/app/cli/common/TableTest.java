package dev.mintmark.app.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.app.cli.common.Table.Column;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

class TableTest {
  private static final String COLUMNS = "mintmark.stdout-columns";

  private final Table claims =
      Table.of(Column.identifier("value"), Column.text("client"), Column.number("token"))
          .add("192.0.2.1", "vm-1", 7)
          .add("192.0.2.10", "build-server-of-berlin", 1234);

  @AfterEach
  void restore() {
    System.clearProperty(COLUMNS);
  }

  @Test
  void columnsAreAsWideAsTheirContents() {
    assertThat(claims.lines(80))
        .containsExactly(
            "value       client                  token",
            "192.0.2.1   vm-1                        7",
            "192.0.2.10  build-server-of-berlin   1234");
  }

  @Test
  void textIsCutToTheWidthOfTheTerminalButNoIdentifierAndNoNumber() {
    assertThat(claims.lines(30))
        .containsExactly(
            "value       client       token",
            "192.0.2.1   vm-1             7",
            "192.0.2.10  build-serv…   1234");
    assertThat(claims.lines(1))
        .containsExactly(
            "value       client    token",
            "192.0.2.1   vm-1          7",
            "192.0.2.10  build-s…   1234");
  }

  @Test
  void aColumnWithoutContentIsLeftOut() {
    Table table = Table.of(Column.identifier("value"), Column.text("owner")).add("1", "");

    assertThat(table.lines(80)).containsExactly("value", "1");
    assertThat(Table.of(Column.identifier("value"), Column.text("owner")).lines(80))
        .containsExactly("value  owner");
  }

  @Test
  void controlCharactersAreMasked() {
    assertThat(Table.of(Column.text("client")).add("a\u001B[31mb").lines(80))
        .containsExactly("client", "a?[31mb");
    assertThat(Table.of(Column.text("client")).add("a\u009B31mb\u0085c\u202Ed").lines(80))
        .containsExactly("client", "a?31mb?c?d");
  }

  @Test
  void aRowHasACellForEachColumn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Table.of(Column.text("a")).add("1", "2"))
        .withMessage("2 cells for 1 columns");
  }

  @Test
  void scriptsReadLinesWithoutHeadings() {
    assertThat(printed(Ansi.ON)).isEqualTo("a line%n".formatted());
  }

  @Test
  void headingsAreBoldUnlessColorsAreOff() {
    System.setProperty(COLUMNS, "80");

    assertThat(printed(Ansi.ON)).startsWith("\u001B[1mvalue       client").contains("192.0.2.10");
    assertThat(printed(Ansi.OFF)).startsWith("value       client").doesNotContain("\u001B[");
  }

  @ParameterizedTest
  @CsvSource({"120, 120", "'', 80", "0, 80", "wide, 80", "99999, 80"})
  void anUnknownWidthIsThatOfAnOldTerminal(String said, int columns) {
    System.setProperty(COLUMNS, said);

    assertThat(Terminal.columns()).hasValue(columns);
  }

  private String printed(Ansi ansi) {
    StringWriter out = new StringWriter();
    CommandSpec command = CommandSpec.create();
    new CommandLine(command)
        .setOut(new PrintWriter(out, true))
        .setColorScheme(Help.defaultColorScheme(ansi));
    claims.print(command, Stream.of("a line"));
    return out.toString();
  }
}
