package dev.mintmark.app.service.choice;

import dev.mintmark.app.service.choice.Answer.Column;
import dev.mintmark.app.service.choice.Answer.Minter;
import dev.mintmark.app.service.choice.Answer.Ordered;
import dev.mintmark.app.service.choice.Answer.Reader;
import dev.mintmark.app.service.choice.Answer.Secret;
import dev.mintmark.app.service.choice.Answer.Size;
import java.util.Map;

/** An answer to each question, and the load. */
public record Answers(
    Load load,
    Ordered order,
    Secret secret,
    Size size,
    Reader readBy,
    Minter mintedBy,
    Column column) {
  /** Returns the answers that are given, and the default ones to the other questions. */
  public static Answers of(Load load, Map<Question, Answer> given) {
    return new Answers(
        load,
        (Ordered) answer(given, Question.ORDER),
        (Secret) answer(given, Question.SECRET),
        (Size) answer(given, Question.SIZE),
        (Reader) answer(given, Question.READ_BY),
        (Minter) answer(given, Question.MINTED_BY),
        (Column) answer(given, Question.COLUMN));
  }

  private static Answer answer(Map<Question, Answer> given, Question question) {
    return given.getOrDefault(question, question.answers().get(0));
  }

  /** Returns the answer to a question. */
  public Answer to(Question question) {
    return switch (question) {
      case ORDER -> order;
      case SECRET -> secret;
      case SIZE -> size;
      case READ_BY -> readBy;
      case MINTED_BY -> mintedBy;
      case COLUMN -> column;
    };
  }

  /** Whether ids have 8 bytes: a column of them exists, or a new one must be so small. */
  boolean areNumbers() {
    return switch (column) {
      case NEW -> size == Size.BYTES_8;
      case BIGINT, INTEGER -> true;
      case UUID, TEXT -> false;
    };
  }

  boolean hasOrder() {
    return order != Ordered.NONE;
  }

  boolean isMintedOffline() {
    return mintedBy == Minter.OFFLINE;
  }
}
