package dev.mintmark.app.service.choice;

import dev.mintmark.Spelling;
import java.util.List;
import java.util.Locale;

/** The questions with a choice of answers. Rate and years, which are numbers, are asked besides. */
public enum Question {
  ORDER("How must rows sort by their id?", Answer.Ordered.values()),
  SECRET("What must stay secret?", Answer.Secret.values()),
  SIZE("How large may an id be?", Answer.Size.values()),
  READ_BY("Who reads the ids?", Answer.Reader.values()),
  MINTED_BY("What mints the ids?", Answer.Minter.values()),
  COLUMN("Which column exists?", Answer.Column.values());

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // Its elements are constants.
  private final List<Answer> answers;

  Question(String text, Answer... answers) {
    this.text = text;
    this.answers = List.of(answers);
  }

  /** Returns its name as an option without hyphens before it: {@code read-by}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns its name as a key and a parameter: {@code read_by}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the question. */
  public String text() {
    return text;
  }

  /** Returns the answers to choose from; the first one is the default. */
  public List<Answer> answers() {
    return answers;
  }

  /**
   * Returns the answer with a label.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public Answer parse(String label) {
    return answers.stream()
        .filter(answer -> answer.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Spelling.unknown(
                        "answer to " + label(),
                        label,
                        answers.stream().map(Answer::label).toList())));
  }
}
