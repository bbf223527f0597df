package dev.mintmark.app.view;

import dev.mintmark.Kind;
import dev.mintmark.Scheme;
import dev.mintmark.app.service.choice.Recommendation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An identifier that is recommended, and why, as JSON. */
public record RecommendationJson(
    String take,
    String situation,
    @Nullable String kind,
    @Nullable String storage,
    String face,
    String mint,
    List<String> reasons,
    List<String> costs,
    List<String> unmet,
    @Nullable RunnerUpJson runnerUp,
    @Nullable String catalog,
    String sql,
    @Nullable String scheme) {
  public static RecommendationJson of(Recommendation recommendation) {
    return new RecommendationJson(
        recommendation.choice().take(),
        recommendation.choice().situation(),
        recommendation.kind().map(Kind::label).orElse(null),
        recommendation.storage().orElse(null),
        recommendation.face().text(),
        recommendation.mint(),
        recommendation.reasons(),
        recommendation.costs(),
        recommendation.unmet(),
        recommendation.runnerUp().map(RunnerUpJson::of).orElse(null),
        recommendation.catalog().orElse(null),
        recommendation.sql(),
        recommendation.scheme().map(Scheme::label).orElse(null));
  }
}
