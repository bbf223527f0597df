package dev.mintmark.app.cli.id;

import dev.mintmark.app.service.choice.Answer;
import dev.mintmark.app.service.choice.Question;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The answers to the questions of {@code compare}, each with an option. */
final class AnswerOptions {
  @Option(
      names = "--order",
      paramLabel = "ORDER",
      converter = ToOrder.class,
      completionCandidates = ToOrder.class,
      description = "How rows must sort by their id: ${COMPLETION-CANDIDATES}. Default: none")
  @Nullable Answer order;

  @Option(
      names = "--secret",
      paramLabel = "SECRET",
      converter = ToSecret.class,
      completionCandidates = ToSecret.class,
      description =
          "What must stay secret: ${COMPLETION-CANDIDATES}. With access, the id itself is the"
              + " secret, because it grants access. Default: nothing")
  @Nullable Answer secret;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = ToSize.class,
      completionCandidates = ToSize.class,
      description =
          "How large an id may be: ${COMPLETION-CANDIDATES}. A range has fewer values than there"
              + " are clients. Default: any")
  @Nullable Answer size;

  @Option(
      names = "--read-by",
      paramLabel = "READERS",
      converter = ToReadBy.class,
      completionCandidates = ToReadBy.class,
      description = "Who reads the ids: ${COMPLETION-CANDIDATES}. Default: programs")
  @Nullable Answer readBy;

  @Option(
      names = "--minted-by",
      paramLabel = "MINTER",
      converter = ToMintedBy.class,
      completionCandidates = ToMintedBy.class,
      description =
          "What mints the ids: ${COMPLETION-CANDIDATES}. Offline is a device that cannot reach a"
              + " server. Default: database")
  @Nullable Answer mintedBy;

  @Option(
      names = "--column",
      paramLabel = "TYPE",
      converter = ToColumn.class,
      completionCandidates = ToColumn.class,
      description = "The column that exists: ${COMPLETION-CANDIDATES}. Default: new")
  @Nullable Answer column;

  /** Returns the answers that are given. */
  Map<Question, Answer> given() {
    Map<Question, Answer> given = new EnumMap<>(Question.class);
    put(given, Question.ORDER, order);
    put(given, Question.SECRET, secret);
    put(given, Question.SIZE, size);
    put(given, Question.READ_BY, readBy);
    put(given, Question.MINTED_BY, mintedBy);
    put(given, Question.COLUMN, column);
    return given;
  }

  private static void put(Map<Question, Answer> given, Question question, @Nullable Answer answer) {
    if (answer != null) {
      given.put(question, answer);
    }
  }

  /** Reads the label of an answer, and lists all of its question. */
  private abstract static class To implements ITypeConverter<Answer>, Iterable<String> {
    private final Question question;

    To(Question question) {
      this.question = question;
    }

    @Override
    public Answer convert(String label) {
      try {
        return question.parse(label);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }

    @Override
    public Iterator<String> iterator() {
      return question.answers().stream().map(Answer::label).iterator();
    }
  }

  static final class ToOrder extends To {
    ToOrder() {
      super(Question.ORDER);
    }
  }

  static final class ToSecret extends To {
    ToSecret() {
      super(Question.SECRET);
    }
  }

  static final class ToSize extends To {
    ToSize() {
      super(Question.SIZE);
    }
  }

  static final class ToReadBy extends To {
    ToReadBy() {
      super(Question.READ_BY);
    }
  }

  static final class ToMintedBy extends To {
    ToMintedBy() {
      super(Question.MINTED_BY);
    }
  }

  static final class ToColumn extends To {
    ToColumn() {
      super(Question.COLUMN);
    }
  }
}
