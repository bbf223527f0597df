package dev.mintmark.app.view;

import dev.mintmark.postgres.search.RowAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found in one collection, as JSON.
 *
 * @param outcome {@code found}, {@code none} or {@code not_looked_at}
 * @param rows empty unless they were found
 * @param more whether there are more rows
 * @param reason why the collection was not looked at, for programs; null if it was
 * @param detail the same for people; null if it was
 */
public record RowAnswerJson(
    String collection,
    String outcome,
    List<FoundRowJson> rows,
    boolean more,
    @Nullable String reason,
    @Nullable String detail) {
  static RowAnswerJson of(RowAnswer answer) {
    String collection = answer.collection();
    if (answer instanceof RowAnswer.Found found) {
      return new RowAnswerJson(
          collection, "found", FoundRowJson.of(found), found.hasMore(), null, null);
    }
    if (answer instanceof RowAnswer.NotLookedAt unseen) {
      return new RowAnswerJson(
          collection, "not_looked_at", List.of(), false, unseen.reason().label(), unseen.detail());
    }
    return new RowAnswerJson(collection, "none", List.of(), false, null, null);
  }
}
