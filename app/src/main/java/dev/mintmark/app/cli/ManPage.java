package dev.mintmark.app.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual page of a command, from the same texts as its help: a source for {@code man}, in the
 * macros of man(7).
 */
final class ManPage {
  /** The section of the manual for programs. */
  static final String SECTION = "1";

  private static final String EXIT_STATUS =
      "0 done, 1 the answer is no, 2 wrong usage, 3 the database, a file or the network failed.";

  private final CommandSpec command;
  private final StringBuilder page = new StringBuilder();

  private ManPage(CommandSpec command) {
    this.command = command;
  }

  /** Returns the page of a command. */
  static String of(CommandSpec command) {
    return new ManPage(command).text();
  }

  /** {@code mintmark-pool-claim}. */
  static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  private String text() {
    request(".TH", name(command).toUpperCase(Locale.ROOT), SECTION, "", "Mintmark");
    List<String> description = sentences(command.usageMessage().description());
    section("NAME");
    line(
        "%s - %s"
            .formatted(name(command), String.join("", description.stream().limit(1).toList())));
    section("SYNOPSIS");
    lines(List.of(new Help(command, Help.defaultColorScheme(Ansi.OFF)).synopsis(0).split("\\R")));
    section("DESCRIPTION");
    paragraphs(description);
    arguments();
    commands();
    List<String> footer = sentences(command.usageMessage().footer());
    if (command.parent() != null && footer.stream().anyMatch(each -> !each.isBlank())) {
      section("NOTES");
      lines(footer);
    }
    section("EXIT STATUS");
    line(EXIT_STATUS);
    if (command.parent() != null) {
      section("SEE ALSO");
      line(name(command.parent()) + "(" + SECTION + ")");
    }
    return page.toString();
  }

  private void arguments() {
    List<PositionalParamSpec> parameters =
        command.positionalParameters().stream().filter(each -> !each.hidden()).toList();
    if (!parameters.isEmpty()) {
      section("ARGUMENTS");
      parameters.forEach(each -> item(each.paramLabel(), sentences(each.description())));
    }
    List<OptionSpec> options = command.options().stream().filter(each -> !each.hidden()).toList();
    if (!options.isEmpty()) {
      section("OPTIONS");
      options.forEach(each -> item(names(each), sentences(each.description())));
    }
  }

  private static String names(OptionSpec option) {
    String value = option.arity().max() == 0 ? "" : "=" + option.paramLabel();
    return Arrays.stream(option.names())
        .map(name -> name.startsWith("--") ? name + value : name)
        .collect(Collectors.joining(", "));
  }

  private void commands() {
    if (command.subcommands().isEmpty()) {
      return;
    }
    section("COMMANDS");
    for (CommandLine below : command.subcommands().values()) {
      CommandSpec spec = below.getCommandSpec();
      item(
          name(spec) + "(" + SECTION + ")",
          sentences(spec.usageMessage().description()).stream().limit(1).toList());
    }
  }

  /** Picocli prints these texts as formats. */
  private static List<String> sentences(String... texts) {
    return Arrays.stream(texts).map(text -> text.formatted().strip()).toList();
  }

  private void section(String heading) {
    request(".SH", heading);
  }

  private void item(String term, List<String> description) {
    page.append(".TP\n.B ").append(escaped(term)).append('\n');
    line(String.join(" ", description));
  }

  private void paragraphs(List<String> texts) {
    for (String text : texts) {
      page.append(".PP\n");
      line(text);
    }
  }

  /** Prints lines that are not joined. */
  private void lines(List<String> lines) {
    page.append(".nf\n");
    lines.forEach(this::line);
    page.append(".fi\n");
  }

  private void request(String name, String... arguments) {
    page.append(name);
    for (String argument : arguments) {
      page.append(" \"").append(escaped(argument).replace("\"", "\\(dq")).append('"');
    }
    page.append('\n');
  }

  private void line(String text) {
    String escaped = escaped(text);
    // At the start of a line, these characters begin a request.
    page.append(escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "").append(escaped);
    page.append('\n');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-");
  }
}
