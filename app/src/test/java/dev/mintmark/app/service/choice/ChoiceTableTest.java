package dev.mintmark.app.service.choice;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of docs/choosing.md is {@link Choice}, row by row. */
class ChoiceTableTest {
  private record Row(String situation, String answers, String take, String reason) {}

  @Test
  void theRowsAreThoseOfTheDecision() {
    List<Row> rows = rows();

    assertThat(rows.stream().map(row -> plain(row.situation)))
        .containsExactlyElementsOf(Arrays.stream(Choice.values()).map(Choice::situation).toList());
    assertThat(rows.stream().map(row -> plain(row.take)))
        .containsExactlyElementsOf(Arrays.stream(Choice.values()).map(Choice::take).toList());
    assertThat(rows.stream().map(row -> plain(row.reason)))
        .containsExactlyElementsOf(Arrays.stream(Choice.values()).map(Choice::reason).toList());
  }

  @Test
  void theAnswersOfARowLeadToIt() {
    Map<String, Choice> decided =
        rows().stream()
            .collect(Collectors.toMap(Row::situation, row -> Choice.of(answers(row.answers))));
    Map<String, Choice> shown =
        Arrays.stream(Choice.values())
            .collect(Collectors.toMap(Choice::situation, choice -> choice));

    assertThat(decided).isEqualTo(shown);
  }

  /** The answers of options, such as {@code --secret count --size 8-bytes}. */
  private static Answers answers(String options) {
    Map<Question, Answer> given = new EnumMap<>(Question.class);
    String[] words = plain(options).split(" ", -1);
    for (int at = 0; at + 1 < words.length; at += 2) {
      String name = words[at];
      Question question =
          Arrays.stream(Question.values())
              .filter(each -> name.equals("--" + each.label()))
              .findFirst()
              .orElseThrow(() -> new AssertionError(options));
      given.put(question, question.parse(words[at + 1]));
    }
    return Answers.of(Load.DEFAULT, given);
  }

  private static List<Row> rows() {
    try {
      return Files.readString(Path.of("../docs/choosing.md"))
          .split("\n## ", 2)[0]
          .lines()
          .filter(line -> line.startsWith("| "))
          .skip(1)
          .map(line -> line.substring(1).split("\\|"))
          .map(
              cells ->
                  new Row(cells[0].strip(), cells[1].strip(), cells[2].strip(), cells[3].strip()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A text without its links and code marks. */
  private static String plain(String markdown) {
    return markdown.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replace("`", "");
  }
}
