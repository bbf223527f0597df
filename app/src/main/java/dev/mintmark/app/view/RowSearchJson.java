package dev.mintmark.app.view;

import dev.mintmark.postgres.search.RowAnswer;
import java.util.List;

/**
 * What was found of an identifier, as JSON.
 *
 * @param collections an answer for each collection that was asked
 */
public record RowSearchJson(String id, List<RowAnswerJson> collections) {
  /** Returns the answers as JSON. */
  public static RowSearchJson of(String id, List<RowAnswer> answers) {
    return new RowSearchJson(id, answers.stream().map(RowAnswerJson::of).toList());
  }
}
