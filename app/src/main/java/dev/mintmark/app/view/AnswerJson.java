package dev.mintmark.app.view;

import dev.mintmark.app.service.choice.Answer;

/** An answer to choose, as JSON. */
public record AnswerJson(String value, String text) {
  static AnswerJson of(Answer answer) {
    return new AnswerJson(answer.label(), answer.text());
  }
}
