package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.SameThreadEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.JShell;
import jdk.jshell.SnippetEvent;

/** Runs the Java of a page, line by line, and checks the result that a line shows. */
final class PageShell implements AutoCloseable {
  /** A line of Java, and after it its result. */
  private static final Pattern LINE = Pattern.compile("(?<java>.*?;?)(?: +// (?<result>.*))?");

  private final JShell shell = SameThreadEngine.shell();

  /** Opens one with these imports: {@code dev.mintmark.*}. */
  PageShell(String... imports) {
    shell.addToClasspath(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    List.of(imports).forEach(name -> run("import " + name + ";"));
  }

  /** Runs a line; if it ends with a comment, that is its value as a text. */
  void check(String line) {
    Matcher shown = LINE.matcher(line);
    assertThat(shown.matches()).as(line).isTrue();
    String java = shown.group("java");
    String result = shown.group("result");
    if (result == null) {
      run(java);
    } else {
      assertThat(text(java.replaceFirst(";$", ""))).as(line).isEqualTo(quoted(result));
    }
  }

  /** The value of an expression as a text, in double quotes. */
  String text(String expression) {
    return run("String.valueOf(" + expression + ")");
  }

  /** The lines of a block, of which those within braces are one. */
  static List<String> statements(String block) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    for (String line : block.lines().toList()) {
      statement.append(line);
      boolean isOpen =
          statement.chars().filter(c -> c == '{').count()
              > statement.chars().filter(c -> c == '}').count();
      if (!isOpen) {
        statements.add(statement.toString());
        statement.setLength(0);
      }
    }
    return statements;
  }

  /** A text as Java and JShell write it. */
  static String quoted(Object text) {
    return "\"" + text.toString().replace("\"", "\\\"") + "\"";
  }

  /** Runs a line and returns its value as JShell writes it: a text in double quotes. */
  private String run(String java) {
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

  @Override
  public void close() {
    shell.close();
  }
}
