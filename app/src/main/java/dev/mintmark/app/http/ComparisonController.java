package dev.mintmark.app.http;

import dev.mintmark.app.service.choice.Answer;
import dev.mintmark.app.service.choice.Answers;
import dev.mintmark.app.service.choice.Comparison;
import dev.mintmark.app.service.choice.Load;
import dev.mintmark.app.service.choice.Question;
import dev.mintmark.app.view.ComparisonJson;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/comparison}: compares the kinds of identifiers, and recommends one. */
@RestController
@RequestMapping(
    path = "/v1/comparison",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class ComparisonController {
  @GetMapping
  ComparisonJson compareSchemes(
      @RequestParam(defaultValue = Load.RATE_DEFAULT) String rate,
      @RequestParam(defaultValue = Load.YEARS_DEFAULT) String years,
      @RequestParam(required = false) @Nullable String order,
      @RequestParam(required = false) @Nullable String secret,
      @RequestParam(required = false) @Nullable String size,
      @RequestParam(name = "read_by", required = false) @Nullable String readBy,
      @RequestParam(name = "minted_by", required = false) @Nullable String mintedBy,
      @RequestParam(required = false) @Nullable String column) {
    Map<Question, Answer> given = new EnumMap<>(Question.class);
    put(given, Question.ORDER, order);
    put(given, Question.SECRET, secret);
    put(given, Question.SIZE, size);
    put(given, Question.READ_BY, readBy);
    put(given, Question.MINTED_BY, mintedBy);
    put(given, Question.COLUMN, column);
    Answers answers = Answers.of(Load.parse("", rate, years), given);
    return ComparisonJson.of(Comparison.of(answers));
  }

  private static void put(Map<Question, Answer> given, Question question, @Nullable String label) {
    if (label != null) {
      given.put(question, question.parse(label));
    }
  }
}
