package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A command that a page shows behind a prompt.
 *
 * @param line the line of shell, in which {@code $0} is the program; after a backslash it continues
 * @param output what it is said to print; a line of three dots stands for the rest
 */
record ShownCommand(String line, String output) {
  /** A command behind a prompt, and what it prints up to the next one. */
  private static final Pattern COMMAND =
      Pattern.compile("^\\$ ((?:.*\\\\\n)*.*)\n((?:(?!\\$ ).*\n)*)", Pattern.MULTILINE);

  /** The commands in the blocks of a page that are marked as {@code console}. */
  static List<ShownCommand> of(Page page) {
    return page.blocks("console").stream()
        .flatMap(block -> COMMAND.matcher(block).results())
        .map(ShownCommand::of)
        .toList();
  }

  private static ShownCommand of(MatchResult shown) {
    return new ShownCommand(shown.group(1).replace("./mintmark", "\"$0\""), shown.group(2));
  }

  /** Checks what it printed: lines on standard error may come between the others. */
  void assertPrints(List<String> printed) {
    List<String> shown = new ArrayList<>(output.lines().toList());
    if (shown.removeIf(line -> line.strip().equals("..."))) {
      assertThat(printed).as(line).hasSizeGreaterThan(shown.size());
      assertThat(printed.subList(0, shown.size())).as(line).isEqualTo(shown);
    } else {
      assertThat(printed).as(line).containsExactlyInAnyOrderElementsOf(shown);
    }
  }
}
