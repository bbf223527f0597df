package dev.mintmark.app.view;

import dev.mintmark.app.service.choice.Answers;
import dev.mintmark.app.service.choice.Comparison;
import dev.mintmark.app.service.choice.Question;
import java.util.Arrays;
import java.util.List;

/** The comparison of schemes, with the recommendation for some answers, as JSON. */
public record ComparisonJson(
    double ratePerSecond,
    double years,
    List<QuestionJson> questions,
    RecommendationJson recommendation,
    List<SchemeJson> schemes) {
  public static ComparisonJson of(Comparison comparison) {
    Answers answers = comparison.answers();
    return new ComparisonJson(
        answers.load().ratePerSecond(),
        answers.load().years(),
        Arrays.stream(Question.values())
            .map(question -> QuestionJson.of(question, answers.to(question)))
            .toList(),
        RecommendationJson.of(comparison.recommendation()),
        comparison.rows().stream().map(SchemeJson::of).toList());
  }
}
