package dev.mintmark.app.view;

import dev.mintmark.app.service.choice.Answer;
import dev.mintmark.app.service.choice.Question;
import java.util.List;

/**
 * A question about a table, and the answer to it, as JSON.
 *
 * @param key the name of its parameter
 * @param answer the label of the answer
 * @param answers those to choose from, the default one first
 */
public record QuestionJson(String key, String text, String answer, List<AnswerJson> answers) {
  static QuestionJson of(Question question, Answer answer) {
    return new QuestionJson(
        question.key(),
        question.text(),
        answer.label(),
        question.answers().stream().map(AnswerJson::of).toList());
  }
}
