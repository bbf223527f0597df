package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.JShell;
import jdk.jshell.SnippetEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/puris.md shows is what happens: its Java is run, line by line, on its catalog. */
class PurisPageTest {
  /** A line of Java, and behind it what it comes to. */
  private static final Pattern LINE = Pattern.compile("(?<java>.*?;?)(?: +// (?<result>.*))?");

  private static final Page PAGE = new Page("docs/puris.md");

  @Test
  void everyLineComesToWhatStandsBehindIt(@TempDir Path directory) throws IOException {
    Path catalog =
        Files.writeString(directory.resolve("mintmark.yaml"), PAGE.blocks("yaml").get(0));
    List<String> lines = PAGE.blocks("java").stream().flatMap(String::lines).toList();
    assertThat(lines).hasSizeGreaterThan(20);

    try (JShell shell = JShell.builder().executionEngine("local").build()) {
      shell.addToClasspath(classPath());
      List.of("dev.mintmark.*", "dev.mintmark.catalog.*", "java.nio.file.Path")
          .forEach(name -> run(shell, "import " + name + ";"));
      for (String line : lines) {
        Matcher shown = LINE.matcher(line);
        assertThat(shown.matches()).isTrue();
        String java = shown.group("java").replace("\"mintmark.yaml\"", quoted(catalog));
        if (shown.group("result") == null) {
          run(shell, java);
        } else {
          String text = "String.valueOf(" + java.replaceFirst(";$", "") + ")";
          assertThat(run(shell, text)).as(line).isEqualTo(quoted(shown.group("result")));
        }
      }
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

  private static String quoted(Object text) {
    return "\"" + text + "\"";
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
