package dev.mintmark.postgres.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.SameThreadEngine;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Pack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.JShell;
import jdk.jshell.SnippetEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What docs/jdbc.md shows is what happens: its SQL and its Java are run, line by line. */
@Tag("database")
class JdbcPageTest {
  private static final Path PAGE = Path.of("..", "docs", "jdbc.md");

  /** A line of Java, and behind it what it comes to. */
  private static final Pattern LINE = Pattern.compile("(?<java>.*?;)(?: +// (?<result>.*))?");

  @Test
  void everyLineComesToWhatStandsBehindIt() throws IOException, SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    blocks("sql").forEach(database::execute);
    List<String> lines = blocks("java").stream().flatMap(String::lines).toList();
    assertThat(lines).hasSizeGreaterThan(20);

    try (JShell shell = SameThreadEngine.shell()) {
      shell.addToClasspath(
          System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
      List.of("dev.mintmark.*", "dev.mintmark.postgres.jdbc.*", "java.sql.*", "java.util.*")
          .forEach(name -> run(shell, "import " + name + ";"));
      run(
          shell,
          "Connection connection = DriverManager.getConnection("
              + "\"jdbc:postgresql://localhost:%d/%s?user=postgres\");"
                  .formatted(database.port(), database.name()));
      for (String line : lines) {
        Matcher shown = LINE.matcher(line);
        assertThat(shown.matches()).as(line).isTrue();
        String java = shown.group("java");
        if (shown.group("result") == null) {
          run(shell, java);
        } else {
          String text = "String.valueOf(" + java.replaceFirst(";$", "") + ")";
          assertThat(run(shell, text)).as(line).isEqualTo('"' + shown.group("result") + '"');
        }
      }
      run(shell, "connection.close();");
    }
  }

  /** Runs a line and returns its value as JShell writes it: a text in double quotes. */
  private static String run(JShell shell, String java) {
    List<SnippetEvent> events = shell.eval(java);
    assertThat(events)
        .as(java)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.exception()).isNull();
              assertThat(shell.diagnostics(event.snippet()).map(d -> d.getMessage(null))).isEmpty();
            });
    return String.valueOf(events.get(0).value());
  }

  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
        .matcher(Files.readString(PAGE))
        .results()
        .map(block -> block.group(1))
        .toList();
  }
}
