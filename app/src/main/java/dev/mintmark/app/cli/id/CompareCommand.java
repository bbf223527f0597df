package dev.mintmark.app.cli.id;

import dev.mintmark.app.cli.common.Asker;
import dev.mintmark.app.cli.common.CalledAs;
import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.service.choice.Answer;
import dev.mintmark.app.service.choice.Answers;
import dev.mintmark.app.service.choice.Comparison;
import dev.mintmark.app.service.choice.Load;
import dev.mintmark.app.service.choice.Question;
import dev.mintmark.app.view.ComparisonJson;
import dev.mintmark.app.view.Json;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark compare}: compares the kinds of identifiers, and recommends one. */
@Command(
    name = "compare",
    description = {
      "Compare the kinds of identifiers: bits of time, random bits, order, size, last year, and"
          + " the odds of a collision.",
      "With --decide or an answer (--order to --column), also recommend one. --decide asks the"
          + " questions that are not answered, on a terminal."
    },
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = "--rate",
      paramLabel = "PER_SECOND",
      description =
          "Ids minted per second, by all processes together: 1000000, 1_000_000, 1e6 or 1M."
              + " Default: "
              + Load.RATE_DEFAULT)
  @Nullable String rate;

  @Option(
      names = "--years",
      paramLabel = "YEARS",
      description = "The number of years of minting. Default: " + Load.YEARS_DEFAULT)
  @Nullable String years;

  @Option(
      names = "--decide",
      description = "Recommend an identifier. On a terminal, ask each question that has no option.")
  boolean decides;

  @Mixin AnswerOptions answerOptions;

  @Option(names = "--all", description = "Also list the kinds for data that already has them.")
  boolean all;

  @Option(
      names = "--json",
      description = "Print the questions, the recommendation and all kinds as JSON.")
  boolean json;

  @Override
  public Integer call() {
    Map<Question, Answer> given = answerOptions.given();
    boolean recommends = decides || !given.isEmpty();
    if (decides && Confirmation.personCanAnswer()) {
      ask(given);
    }
    Load load = Load.parse("--", rateOrDefault(), yearsOrDefault());
    Comparison comparison = Comparison.of(Answers.of(load, given));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(out, ComparisonJson.of(comparison));
    } else {
      print(out, comparison, recommends);
    }
    out.flush();
    return ExitStatus.DONE;
  }

  private String rateOrDefault() {
    return rate == null ? Load.RATE_DEFAULT : rate;
  }

  private String yearsOrDefault() {
    return years == null ? Load.YEARS_DEFAULT : years;
  }

  /** Asks everything that no option answers. */
  private void ask(Map<Question, Answer> given) {
    PrintWriter err = spec.commandLine().getErr();
    Asker asker = Asker.of(true, err);
    if (rate == null) {
      rate =
          asker.ask(
              "Ids per second, by all processes together",
              Load.RATE_DEFAULT,
              text -> Load.parse("", text, Load.YEARS_DEFAULT));
    }
    if (years == null) {
      years =
          asker.ask(
              "Years of minting",
              Load.YEARS_DEFAULT,
              text -> Load.parse("", Load.RATE_DEFAULT, text));
    }
    for (Question question : Question.values()) {
      given.computeIfAbsent(question, unanswered -> ask(asker, unanswered, err));
    }
    err.println();
    err.flush();
  }

  private static Answer ask(Asker asker, Question question, PrintWriter err) {
    err.println();
    err.println(question.text());
    for (Answer answer : question.answers()) {
      err.println("  %-10s  %s".formatted(answer.label(), answer.text()));
    }
    String preset = question.answers().get(0).label();
    return question.parse(asker.ask("Answer", preset, question::parse));
  }

  private void print(PrintWriter out, Comparison comparison, boolean recommends) {
    ComparisonText text =
        new ComparisonText(comparison, spec.commandLine().getColorScheme().ansi());
    if (recommends) {
      text.printRecommendation(out);
      out.println();
    }
    text.printTable(out, all);
    out.println();
    if (recommends) {
      out.println(CalledAs.in("The same: " + sameCommand(comparison.answers())));
    } else {
      text.printLegend(out, all);
      out.println(CalledAs.in("mintmark compare --decide asks for the answers that decide."));
    }
  }

  /** The command without questions, with the answers that are not the default ones. */
  private String sameCommand(Answers answers) {
    StringBuilder command = new StringBuilder("mintmark compare --decide");
    Optional.ofNullable(rate).ifPresent(given -> command.append(" --rate ").append(given));
    Optional.ofNullable(years).ifPresent(given -> command.append(" --years ").append(given));
    for (Question question : Question.values()) {
      Answer answer = answers.to(question);
      command.append(" --%s %s".formatted(question.label(), answer.label()));
    }
    return command.toString();
  }
}
